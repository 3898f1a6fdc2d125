package io.forebay.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.KeyedRecord;
import io.forebay.conformance.harness.KeyedText;
import io.forebay.conformance.harness.PackageText;
import io.forebay.conformance.harness.RecordFile;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole real text through one topic: what groups of both protocols and kcat read is what was written. */
class StreamTest {

    private static final int PARTITIONS = 8;

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static String topic = "";
    private static KeyedText sent = new KeyedText();

    @BeforeAll
    static void produceAll() throws IOException {
        List<KeyedRecord> records = PackageText.all();
        sent = KeyedText.of(records);
        Path file =
                Files.createDirectories(Settings.target().resolve("records")).resolve("all");
        RecordFile.write(file, records);
        topic = BROKER.createTopic("stream", PARTITIONS, Map.of());
        JavaClient.newest("idempotent", Map.of())
                .produce(BROKER.bootstrap(), List.of(new Client.Load(topic, "lz4", file)));
        Files.delete(file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void aGroupOfTwoReadsTheWholeText(String protocol) throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> ends = ends();
        assertThat(ends.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(sent.count());

        GroupReader reader = new GroupReader(BROKER.bootstrap(), topic, topic + "-" + protocol, protocol);
        sent.assertSame(reader.read(2, ends));

        Map<TopicPartition, Long> committed = BROKER
                .admin()
                .listConsumerGroupOffsets(topic + "-" + protocol)
                .partitionsToOffsetAndMetadata()
                .get()
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
        assertThat(committed).isEqualTo(ends);
    }

    @Test
    void kcatReadsTheWholeText() throws IOException {
        Path file = Settings.target().resolve("records").resolve("all-by-kcat");
        new Kcat().consume(BROKER.bootstrap(), List.of(new Client.Reading(topic, "", file)));

        sent.assertSame(KeyedText.of(RecordFile.read(file)));
        Files.delete(file);
    }

    private static Map<TopicPartition, Long> ends() throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> latest = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        return BROKER.admin().listOffsets(latest).all().get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }
}
