package io.forebay.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The only member of a group, which commits now and then and can be replaced by a new one that must go on exactly where
 * the last commit was. Owned by one thread.
 */
final class CommittingReader implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Map<String, Object> settings;
    private final String topic;
    private final SeenRecords seen;
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private final Map<TopicPartition, Long> starts = new HashMap<>();
    private KafkaConsumer<byte[], byte[]> consumer;

    CommittingReader(String bootstrap, String topic, String protocol, SeenRecords seen) {
        this.topic = topic;
        this.seen = seen;
        this.settings = new HashMap<>(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ConsumerConfig.GROUP_ID_CONFIG,
                "readers-of-" + topic,
                ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                protocol,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                200,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false));
        if (protocol.equals("classic")) {
            settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        }
        this.consumer = open();
    }

    private KafkaConsumer<byte[], byte[]> open() {
        KafkaConsumer<byte[], byte[]> opened =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        opened.subscribe(List.of(topic), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                partitions.forEach(partition -> starts.put(partition, opened.position(partition)));
            }
        });
        return opened;
    }

    /** One poll; what it returned has been seen. */
    void poll() {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : records) {
            seen.see(record);
        }
    }

    /** Polls until everything has been seen that the topic holds now; fails after a minute. */
    void readToEnd() {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (!ends.entrySet().stream().allMatch(end -> seen.end(end.getKey().partition()) >= end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("seen " + seen.count() + " records after " + LIMIT + ", ends are " + ends);
            }
            poll();
        }
    }

    /** Commits everything polled. */
    void commit() {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        for (TopicPartition partition : consumer.assignment()) {
            positions.put(partition, new OffsetAndMetadata(consumer.position(partition)));
        }
        consumer.commitSync(positions);
        committed.putAll(positions);
    }

    /**
     * Leaves without a commit and comes back as a new member; fails unless it starts exactly at the last commit in each of
     * the topic's {@code partitions}.
     */
    void replace(int partitions) {
        consumer.close();
        starts.clear();
        consumer = open();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (starts.size() < partitions) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("assigned " + starts.keySet() + " after " + LIMIT);
            }
            poll();
        }
        committed.forEach((partition, commit) ->
                assertThat(starts.get(partition)).as("start of %s", partition).isEqualTo(commit.offset()));
    }

    @Override
    public void close() {
        consumer.close();
    }
}
