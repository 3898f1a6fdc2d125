package io.forebay.conformance.chaos;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * One member of a consumer group on a thread of its own: polls, notes what it sees, commits about three times a second, and
 * leaves for a new member when told to. Group offsets exist from the start and there is no reset policy: a broker that says
 * "out of range" or "nothing committed" is a finding.
 */
final class GroupMember {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final long COMMIT_NANOS = 300_000_000;
    private static final long END_LIMIT_MS = 30_000;

    private final String name;
    private final String topic;
    private final Map<String, Object> settings;
    private final Places places;
    private final GroupProgress progress;
    private final Findings findings;
    private final Map<TopicPartition, Long> expected = new HashMap<>();
    private final Thread thread;
    private volatile boolean ending;
    private volatile boolean replace;

    GroupMember(
            String bootstrap,
            String topic,
            String protocol,
            int number,
            Places places,
            GroupProgress progress,
            Findings findings) {
        this.name = progress.group() + "-member-" + number;
        this.topic = topic;
        this.places = places;
        this.progress = progress;
        this.findings = findings;
        this.settings = new HashMap<>(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ConsumerConfig.GROUP_ID_CONFIG,
                progress.group(),
                ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                protocol,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "none",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                5_000,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                (int) ANSWER_LIMIT.toMillis(),
                ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                200));
        if (protocol.equals("classic")) {
            settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
            settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
        }
        this.thread = new Thread(this::run, "chaos-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Leaves and comes back as a new member some time soon. */
    void replace() {
        replace = true;
    }

    void end() {
        ending = true;
        try {
            thread.join(END_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        if (thread.isAlive()) {
            findings.add(Findings.Kind.FAILED, name + " has not ended after " + END_LIMIT_MS + " ms");
        }
    }

    private void run() {
        while (!ending) {
            replace = false;
            expected.clear();
            try (KafkaConsumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                consumer.subscribe(List.of(topic), new Assignments(consumer));
                read(consumer);
            } catch (RuntimeException e) {
                findings.add(Findings.Kind.FAILED, name + " stopped: " + e);
            }
        }
    }

    private void read(KafkaConsumer<byte[], byte[]> consumer) {
        long committedAt = System.nanoTime();
        while (!ending && !replace) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                take(record);
            }
            if (System.nanoTime() - committedAt > COMMIT_NANOS) {
                commit(consumer);
                committedAt = System.nanoTime();
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        var unused = places.see(name, record);
        progress.saw(record.partition(), record.offset());
        TopicPartition partition = new TopicPartition(topic, record.partition());
        Long expectedOffset = expected.put(partition, record.offset() + 1);
        if (expectedOffset != null && expectedOffset != record.offset()) {
            findings.add(
                    Findings.Kind.INCONSISTENT,
                    name + " got " + partition.partition() + ":" + record.offset() + " where " + expectedOffset
                            + " was next");
        }
    }

    /** A commit that fails is made up for by a later one. */
    private void commit(KafkaConsumer<byte[], byte[]> consumer) {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        for (TopicPartition partition : consumer.assignment()) {
            Long position = expected.get(partition);
            if (position != null) {
                positions.put(partition, new OffsetAndMetadata(position));
            }
        }
        if (positions.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(positions, ANSWER_LIMIT);
            positions.forEach((partition, position) -> progress.committed(partition.partition(), position.offset()));
        } catch (RetriableException | CommitFailedException | RebalanceInProgressException later) {
            // the members that own the partitions by then go on from the last commit that succeeded
        }
    }

    /** Looks where a member starts: where the group's last commit was, or behind. */
    private final class Assignments implements ConsumerRebalanceListener {
        private final KafkaConsumer<byte[], byte[]> consumer;

        Assignments(KafkaConsumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            partitions.forEach(expected::remove);
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            for (TopicPartition partition : partitions) {
                long atLeast = progress.committed(partition.partition());
                try {
                    long position = consumer.position(partition, ANSWER_LIMIT);
                    progress.shown("the start of " + name, partition.partition(), position, atLeast);
                    expected.put(partition, position);
                } catch (RetriableException nobodyAnswers) {
                    // poll asks again
                } catch (KafkaException e) {
                    findings.add(Findings.Kind.FAILED, name + " has no start in " + partition + ": " + e);
                }
            }
        }
    }
}
