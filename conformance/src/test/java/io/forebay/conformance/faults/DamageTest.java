package io.forebay.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Eventually;
import io.forebay.conformance.harness.ForebayProcess;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A byte of an acknowledged batch changes on the disk while the server is down. The log names the damage, readers of that
 * batch get an error instead of a gap or wrong bytes, and everything else is served.
 */
class DamageTest {

    private static final String TOPIC = "damaged";
    private static final int PARTITIONS = 2;
    private static final int BATCHES = 400;
    private static final int VICTIM = 200;
    private static final Duration POLL = Duration.ofMillis(500);

    /** Where the batch lies when it is damaged. */
    enum Place {
        JOURNAL("journal", "16MiB"),
        SEGMENT("shard", "64KiB");

        private final String folder;
        private final String flushBytes;

        Place(String folder, String flushBytes) {
            this.folder = folder;
            this.flushBytes = flushBytes;
        }
    }

    @BeforeEach
    void needsTheProcess() {
        Assumptions.assumeTrue(Settings.foreignBootstrap().isEmpty(), "needs to own the server process");
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void theDamageIsNamedAndTheRestIsServed(Place place) throws Exception {
        String name = "DamageTest-" + place;
        try (ForebayProcess server = new ForebayProcess(
                name, BrokerExtension.freshFolder(name), Map.of("shard.flush.bytes", place.flushBytes))) {
            server.start();
            produceBatches(server);
            Path folder = server.store().resolve(place.folder);
            Eventually.isTrue(
                    "the batch is where it is to be damaged",
                    () -> fileWith(value(0, VICTIM), folder).isPresent());
            if (place == Place.JOURNAL) {
                server.kill();
            } else {
                // Until a manifest names the segment, what counts is the journal.
                assertThat(server.stop()).isIn(0, 143);
            }
            Path damaged = flipByteOf(value(0, VICTIM), folder);

            server.start();
            Set<Long> sound = readableOffsets(server, 1);
            Set<Long> hurt = readableOffsets(server, 0);

            assertThat(sound).as("offsets of the sound partition").hasSize(BATCHES);
            assertThat(hurt)
                    .as("offsets of the damaged partition")
                    .doesNotContain((long) VICTIM)
                    .contains(0L, BATCHES - 1L);
            assertThat(server.log())
                    .contains(server.store().relativize(damaged).toString())
                    .containsIgnoringCase("position")
                    .containsIgnoringCase("partition")
                    .containsIgnoringCase("offset");
        }
    }

    private static String value(int partition, int batch) {
        return "partition " + partition + " batch " + batch + " " + "x".repeat(400) + ".";
    }

    private static void produceBatches(ForebayProcess server) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(PARTITIONS), Optional.empty())))
                    .all()
                    .get();
        }
        Map<String, Object> settings = Map.of("bootstrap.servers", server.bootstrap(), "linger.ms", 0);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int batch = 0; batch < BATCHES; batch++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    producer.send(new ProducerRecord<>(TOPIC, partition, "key", value(partition, batch)))
                            .get();
                }
            }
        }
    }

    /** Changes one byte in the middle of {@code text} in whatever file below {@code folder} holds it. */
    private static Path flipByteOf(String text, Path folder) throws IOException {
        Path file = fileWith(text, folder).orElseThrow();
        byte[] bytes = Files.readAllBytes(file);
        int victim = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text) + text.length() / 2;
        bytes[victim] = (byte) (bytes[victim] ^ 1);
        Files.write(file, bytes);
        return file;
    }

    private static Optional<Path> fileWith(String text, Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(folder)) {
            files = tree.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** Reads a partition offset by offset where it must, going on behind an offset that cannot be read. */
    private static Set<Long> readableOffsets(ForebayProcess server, int partition) {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", server.bootstrap()));
        settings.put("auto.offset.reset", "none");
        settings.put("max.partition.fetch.bytes", 4_096);
        TopicPartition from = new TopicPartition(TOPIC, partition);
        Set<Long> offsets = new TreeSet<>();
        List<String> failures = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(from));
            consumer.seek(from, 0);
            int idle = 0;
            while (consumer.position(from) < BATCHES) {
                long before = consumer.position(from);
                try {
                    for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                        assertThat(record.value()).isEqualTo(value(partition, (int) record.offset()));
                        assertThat(record.offset()).as("no silent gap").isEqualTo(before);
                        before++;
                        offsets.add(record.offset());
                    }
                } catch (KafkaException e) {
                    failures.add(e.getMessage());
                    consumer.seek(from, before + 1);
                }
                // Some errors of a fetch are retried by the client for ever without a word.
                idle = consumer.position(from) == before && before == VICTIM ? idle + 1 : 0;
                if (idle > 4) {
                    consumer.seek(from, before + 1);
                }
            }
        }
        assertThat(failures).hasSizeLessThan(BATCHES / 2);
        return offsets;
    }
}
