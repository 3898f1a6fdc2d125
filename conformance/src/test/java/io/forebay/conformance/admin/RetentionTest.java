package io.forebay.conformance.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Eventually;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records that are too old or too many go by themselves, and stay gone over a restart. */
class RetentionTest {

    private static final int RECORDS = 1_000;
    private static final int RECORD_BYTES = 10_000;

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension()
            .set("log.retention.check.interval.ms", "500ms")
            .set("shard.flush.bytes", "256KiB")
            .set("journal.file.bytes", "2MiB");

    private static TopicPartition filledTopic(Map<String, String> configs) {
        TopicPartition partition = new TopicPartition(BROKER.createTopic("retention", 1, configs), 0);
        Map<String, Object> settings = Map.of("bootstrap.servers", BROKER.bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                var unused = producer.send(new ProducerRecord<>(partition.topic(), new byte[RECORD_BYTES]));
            }
        }
        return partition;
    }

    private static long offset(TopicPartition partition, OffsetSpec spec)
            throws ExecutionException, InterruptedException {
        return requireNonNull(BROKER.admin()
                        .listOffsets(Map.of(partition, spec))
                        .all()
                        .get()
                        .get(partition))
                .offset();
    }

    @Test
    void oldRecordsGo() throws ExecutionException, InterruptedException {
        assertThat(BROKER.server().running()).isTrue();
        TopicPartition partition = filledTopic(Map.of("retention.ms", "1500"));

        Eventually.holds(
                () -> assertThat(offset(partition, OffsetSpec.earliest())).isEqualTo(RECORDS));
        assertThat(offset(partition, OffsetSpec.latest())).isEqualTo(RECORDS);
    }

    @Test
    void theOldestRecordsGoWhereThereAreTooMany() throws ExecutionException, InterruptedException {
        assertThat(BROKER.server().running()).isTrue();
        TopicPartition partition = filledTopic(Map.of("retention.bytes", "1000000"));

        Eventually.holds(
                () -> assertThat(offset(partition, OffsetSpec.earliest())).isGreaterThan(RECORDS / 2));
        long earliest = offset(partition, OffsetSpec.earliest());
        assertThat(earliest).isLessThanOrEqualTo(RECORDS - 1_000_000 / (RECORD_BYTES + 100));

        BROKER.server().kill();
        BROKER.server().start();
        assertThat(offset(partition, OffsetSpec.earliest())).isGreaterThanOrEqualTo(earliest);
        assertThat(offset(partition, OffsetSpec.latest())).isEqualTo(RECORDS);
    }
}
