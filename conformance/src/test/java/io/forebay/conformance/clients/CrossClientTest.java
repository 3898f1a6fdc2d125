package io.forebay.conformance.clients;

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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What one client wrote, in every compression, the others read: byte for byte, in key order, nothing twice. */
@Execution(ExecutionMode.CONCURRENT)
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
    @MethodSource("clients")
    void readsAndIsReadInEveryCompression(String name, Client client) throws IOException {
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
