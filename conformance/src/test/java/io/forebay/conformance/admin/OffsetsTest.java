package io.forebay.conformance.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.conformance.harness.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Offsets by time and by end, timestamps, deleted records, headers: as the newest Java client sees them. */
class OffsetsTest {

    private static final Duration POLL = Duration.ofSeconds(10);

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static Producer<String, String> producer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", BROKER.bootstrap());
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    private static Consumer<String, String> consumer(TopicPartition partition, long offset) {
        Map<String, Object> settings = Map.of("bootstrap.servers", BROKER.bootstrap(), "auto.offset.reset", "none");
        Consumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(partition));
        consumer.seek(partition, offset);
        return consumer;
    }

    private static ListOffsetsResultInfo offset(TopicPartition partition, OffsetSpec spec)
            throws ExecutionException, InterruptedException {
        return requireNonNull(
                BROKER.admin().listOffsets(Map.of(partition, spec)).all().get().get(partition));
    }

    private static TopicPartition topic(String stem, Map<String, String> configs) {
        return new TopicPartition(BROKER.createTopic(stem, 1, configs), 0);
    }

    private static void produceAt(TopicPartition partition, long... timestamps)
            throws ExecutionException, InterruptedException {
        try (Producer<String, String> producer = producer(Map.of())) {
            for (long timestamp : timestamps) {
                producer.send(new ProducerRecord<>(partition.topic(), 0, timestamp, "key", "at " + timestamp))
                        .get();
            }
        }
    }

    @Test
    void findsOffsetsByTime() throws ExecutionException, InterruptedException {
        TopicPartition partition = topic("times", Map.of());
        long now = System.currentTimeMillis();
        produceAt(partition, now - 5_000, now - 1_000, now - 3_000, now - 2_000);

        assertThat(offset(partition, OffsetSpec.earliest()).offset()).isZero();
        assertThat(offset(partition, OffsetSpec.latest()).offset()).isEqualTo(4);
        assertThat(offset(partition, OffsetSpec.maxTimestamp()).offset()).isEqualTo(1);
        assertThat(offset(partition, OffsetSpec.maxTimestamp()).timestamp()).isEqualTo(now - 1_000);
        assertThat(offset(partition, OffsetSpec.forTimestamp(now - 10_000)).offset())
                .isZero();
        assertThat(offset(partition, OffsetSpec.forTimestamp(now - 2_500)).offset())
                .isEqualTo(1);
        assertThat(offset(partition, OffsetSpec.forTimestamp(now)).offset()).isEqualTo(-1);

        try (Consumer<String, String> consumer = consumer(partition, 0)) {
            Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(Map.of(partition, now - 4_000));
            OffsetAndTimestamp first = requireNonNull(found.get(partition));
            assertThat(first.offset()).isEqualTo(1);
            assertThat(first.timestamp()).isEqualTo(now - 1_000);
            assertThat(first.leaderEpoch()).isPresent();
        }
    }

    @Test
    void keepsHeadersNullsAndTheProducersTime() throws ExecutionException, InterruptedException {
        TopicPartition partition = topic("headers", Map.of());
        long time = System.currentTimeMillis() - 12_345;
        byte[] header = "w\u00e4rme".getBytes(StandardCharsets.UTF_8);
        try (Producer<String, String> producer = producer(Map.of("compression.type", "zstd"))) {
            var sent = producer.send(new ProducerRecord<>(
                    partition.topic(),
                    0,
                    time,
                    null,
                    null,
                    List.of(new RecordHeader("h", header), new RecordHeader("n", (byte[]) null))));
            assertThat(sent.get().timestamp()).isEqualTo(time);
        }

        try (Consumer<String, String> consumer = consumer(partition, 0)) {
            ConsumerRecord<String, String> record =
                    consumer.poll(POLL).iterator().next();
            assertThat(record.key()).isNull();
            assertThat(record.value()).isNull();
            assertThat(record.timestamp()).isEqualTo(time);
            assertThat(record.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
            assertThat(record.headers().lastHeader("h").value()).isEqualTo(header);
            assertThat(record.headers().lastHeader("n").value()).isNull();
        }
    }

    @Test
    void stampsTheTimeOfArrivalWhereTheTopicWantsIt() throws ExecutionException, InterruptedException {
        TopicPartition partition = topic("arrival", Map.of("message.timestamp.type", "LogAppendTime"));
        long before = System.currentTimeMillis();
        produceAt(partition, before - 100_000);
        long after = System.currentTimeMillis();

        try (Consumer<String, String> consumer = consumer(partition, 0)) {
            ConsumerRecord<String, String> record =
                    consumer.poll(POLL).iterator().next();
            assertThat(record.timestamp()).isBetween(before, after);
            assertThat(record.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        }
    }

    @Test
    void recompressesWhereTheTopicWantsIt() throws ExecutionException, InterruptedException {
        TopicPartition partition = topic("recompressed", Map.of("compression.type", "zstd"));
        try (Producer<String, String> producer = producer(Map.of("compression.type", "gzip", "linger.ms", "50"))) {
            for (int i = 0; i < 100; i++) {
                var unused = producer.send(new ProducerRecord<>(partition.topic(), "key", "value " + i));
            }
        }

        try (Consumer<String, String> consumer = consumer(partition, 0)) {
            int next = 0;
            while (next < 100) {
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    assertThat(record.value()).isEqualTo("value " + next);
                    next++;
                }
            }
        }
    }

    @Test
    void deletedRecordsAreGoneForReaders() throws ExecutionException, InterruptedException {
        TopicPartition partition = topic("deleted", Map.of());
        long now = System.currentTimeMillis();
        produceAt(partition, now, now, now, now);

        var deleted = BROKER.admin()
                .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(3)))
                .lowWatermarks();
        assertThat(requireNonNull(deleted.get(partition)).get().lowWatermark()).isEqualTo(3);
        assertThat(offset(partition, OffsetSpec.earliest()).offset()).isEqualTo(3);
        try (Consumer<String, String> consumer = consumer(partition, 1)) {
            assertThatThrownBy(() -> consumer.poll(POLL)).isInstanceOf(OffsetOutOfRangeException.class);
            consumer.seek(partition, 3);
            assertThat(consumer.poll(POLL).iterator().next().offset()).isEqualTo(3);
        }
        assertThatThrownBy(() -> BROKER.admin()
                        .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(99)))
                        .all()
                        .get())
                .hasCauseInstanceOf(org.apache.kafka.common.errors.OffsetOutOfRangeException.class);
        BROKER.admin()
                .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1)))
                .all()
                .get();
        assertThat(offset(partition, OffsetSpec.earliest()).offset()).isEqualTo(4);
    }

    @Test
    void refusesRecordsThatAreTooLargeOrFromTheFuture() {
        TopicPartition partition = topic("refused", Map.of("max.message.bytes", "2000"));
        try (Producer<String, String> producer = producer(Map.of())) {
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(partition.topic(), "k", "x".repeat(5_000)))
                            .get())
                    .hasCauseInstanceOf(RecordTooLargeException.class);
            long inTwoDays = System.currentTimeMillis() + Duration.ofDays(2).toMillis();
            assertThatThrownBy(() -> producer.send(new ProducerRecord<>(partition.topic(), 0, inTwoDays, "k", "v"))
                            .get())
                    .hasCauseInstanceOf(InvalidTimestampException.class);
        }
    }

    @Test
    void aTopicComesIntoBeingWhenItIsWrittenTo() throws ExecutionException, InterruptedException {
        String name = BROKER.topicName("created-by-itself");
        try (Producer<String, String> producer = producer(Map.of())) {
            assertThat(producer.send(new ProducerRecord<>(name, "key", "value"))
                            .get()
                            .offset())
                    .isZero();
        }

        assertThat(BROKER.admin().listTopics().names().get()).contains(name);
    }

    @Test
    void aWaitingReaderIsWokenByTheNextRecord() throws ExecutionException, InterruptedException {
        TopicPartition partition = topic("woken", Map.of());
        try (Consumer<String, String> consumer = consumer(partition, 0);
                Producer<String, String> producer = producer(Map.of())) {
            assertThat(consumer.poll(Duration.ofMillis(200))).isEmpty();
            producer.send(new ProducerRecord<>(partition.topic(), "key", "first"))
                    .get();
            assertThat(consumer.poll(POLL)).hasSize(1);

            long start = System.nanoTime();
            var sent = producer.send(new ProducerRecord<>(partition.topic(), "key", "second"));
            assertThat(consumer.poll(POLL)).hasSize(1);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(400));
            assertThat(sent.get().offset()).isEqualTo(1);
        }
    }
}
