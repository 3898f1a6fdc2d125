package io.forebay.conformance.chaos;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a whole topic from its beginning, for a {@link Comparison}. Used once, by one thread. */
final class Readback {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final long PROGRESS_LIMIT_NANOS = 30_000_000_000L;

    private final String topic;
    private final int partitions;
    private final List<SentRecords> sent;
    private final Comparison comparison;
    private final Findings findings;

    Readback(String topic, int partitions, List<SentRecords> sent, Comparison comparison, Findings findings) {
        this.topic = topic;
        this.partitions = partitions;
        this.sent = sent;
        this.comparison = comparison;
        this.findings = findings;
    }

    /** Reads all. That the end is not reached is a finding. */
    void run(String bootstrap) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "none",
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        4 << 20),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> all = IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            long[] ends = ends(consumer, all);
            consumer.assign(all);
            all.forEach(partition -> consumer.seek(partition, 0));
            long progressAt = System.nanoTime();
            while (all.stream().anyMatch(p -> comparison.end(p.partition()) < ends[p.partition()])) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    comparison.take(record);
                    progressAt = System.nanoTime();
                }
                if (System.nanoTime() - progressAt > PROGRESS_LIMIT_NANOS) {
                    findings.add(
                            Findings.Kind.FAILED, "reading back does not get to the ends " + Arrays.toString(ends));
                    break;
                }
            }
        }
        comparison.finish();
    }

    /** What is told to be the end, or, if that is less, what was acknowledged: it must be readable. */
    private long[] ends(KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> all) {
        long[] ends = new long[partitions];
        consumer.endOffsets(all).forEach((partition, end) -> ends[partition.partition()] = end);
        for (SentRecords producer : sent) {
            for (int i = 0; i < producer.count(); i++) {
                if (producer.offset(i) >= 0) {
                    int partition = producer.partition(i);
                    ends[partition] = Math.max(ends[partition], producer.offset(i) + 1);
                }
            }
        }
        return ends;
    }
}
