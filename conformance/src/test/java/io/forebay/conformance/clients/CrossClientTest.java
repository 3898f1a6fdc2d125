package io.forebay.conformance.clients;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.KeyedRecord;
import io.forebay.conformance.harness.KeyedText;
import io.forebay.conformance.harness.PackageText;
import io.forebay.conformance.harness.RecordFile;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What one client wrote, in every compression, the others read: byte for byte, in key order, nothing twice. */
class CrossClientTest {

    private static final int SLICE_BYTES = 1 << 20;

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static final JavaClient JAVA = JavaClient.newest("idempotent", Map.of());

    static Stream<Arguments> clients() {
        return Stream.<Client>of(
                        JAVA,
                        JavaClient.newest("plain", Map.of("enable.idempotence", "false")),
                        JavaClient.newest("consumer-protocol", Map.of("group.protocol", "consumer")),
                        JavaClient.old("3.9.1", Map.of("enable.idempotence", "true")),
                        JavaClient.old("2.8.2", Map.of("enable.idempotence", "true")),
                        JavaClient.old("2.1.1", Map.of("enable.idempotence", "false")),
                        new Kcat(),
                        new KafkaJs())
                .map(client -> arguments(client.name(), client));
    }

    @ParameterizedTest(name = "{0}")
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("clients")
    void readsAndIsReadInEveryCompression(String name, Client client)
            throws IOException, ExecutionException, InterruptedException {
        Path folder =
                Files.createDirectories(Settings.target().resolve("records").resolve(name));
        Path sentFile = folder.resolve("sent");
        List<KeyedRecord> records = PackageText.first(SLICE_BYTES);
        RecordFile.write(sentFile, records);
        KeyedText sent = KeyedText.of(records);
        List<Client.Load> loads = client.compressions().stream()
                .sorted()
                .map(compression -> new Client.Load(
                        BROKER.createTopic(name + "-" + compression, 3, Map.of()), compression, sentFile))
                .toList();

        client.produce(BROKER.bootstrap(), loads);

        assertCompressed(loads);
        int turn = 0;
        for (Client reader : readers(client)) {
            turn++;
            List<Client.Reading> readings = new ArrayList<>();
            for (Client.Load load : loads) {
                readings.add(new Client.Reading(
                        load.topic(), "by-" + turn + "-" + load.topic(), folder.resolve(load.compression())));
            }
            reader.consume(BROKER.bootstrap(), readings);
            readings.forEach(reading -> sent.assertSame(KeyedText.of(RecordFile.read(reading.records()))));
        }
    }

    /** A client that does not trust the broker's versions may send plain batches without a word. */
    private static void assertCompressed(List<Client.Load> loads) throws ExecutionException, InterruptedException {
        Map<String, Long> sizes = new HashMap<>();
        int node =
                BROKER.admin().describeCluster().nodes().get().iterator().next().id();
        requireNonNull(BROKER.admin()
                        .describeLogDirs(List.of(node))
                        .allDescriptions()
                        .get()
                        .get(node))
                .values()
                .forEach(folder -> folder.replicaInfos()
                        .forEach((partition, replica) -> sizes.merge(partition.topic(), replica.size(), Long::sum)));
        for (Client.Load load : loads) {
            long size = requireNonNull(sizes.get(load.topic()));
            if (load.compression().equals("none")) {
                assertThat(size).as(load.topic()).isGreaterThan(SLICE_BYTES);
            } else {
                assertThat(size).as(load.topic()).isLessThan(SLICE_BYTES * 5L / 6);
            }
        }
    }

    /** The client itself, and two others of different make. */
    private static List<Client> readers(Client client) {
        List<Client> others = Stream.<Client>of(JAVA, new Kcat())
                .filter(other -> !other.name().equals(client.name()))
                .toList();
        List<Client> readers = new ArrayList<>(List.of(client));
        readers.addAll(others);
        return readers;
    }
}
