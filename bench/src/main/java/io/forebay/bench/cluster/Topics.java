package io.forebay.bench.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Topics of a cluster and who leads their partitions, over one admin client without long back-offs. Used by one thread. */
final class Topics implements AutoCloseable {
    static final long LIMIT_MS = 60_000;

    private final String bootstrap;
    private final Admin admin;

    Topics(String bootstrap) {
        this.bootstrap = bootstrap;
        this.admin = Admin.create(Map.of(
                "bootstrap.servers",
                bootstrap,
                "reconnect.backoff.max.ms",
                "50",
                "retry.backoff.ms",
                "20",
                "retry.backoff.max.ms",
                "50"));
    }

    /** Creates a topic; returns its partitions. */
    List<TopicPartition> create(String topic, int partitions) {
        await(() -> admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                .all()
                .get());
        return IntStream.range(0, partitions)
                .mapToObj(i -> new TopicPartition(topic, i))
                .toList();
    }

    /** Creates several topics alike in one request. */
    void createAll(List<String> topics, int partitions) {
        await(() -> admin.createTopics(topics.stream()
                        .map(topic -> new NewTopic(topic, partitions, (short) 1))
                        .toList())
                .all()
                .get());
    }

    /** The node that is the controller now. */
    int controller() {
        return await(() -> admin.describeCluster().controller().get()).id();
    }

    /** Leaders of the partitions of a topic, where there is one. */
    Map<TopicPartition, Integer> leaders(String topic) {
        Map<TopicPartition, Integer> leaders = new LinkedHashMap<>();
        for (TopicPartitionInfo partition : await(() ->
                        admin.describeTopics(List.of(topic)).allTopicNames().get())
                .values()
                .iterator()
                .next()
                .partitions()) {
            if (partition.leader() != null && partition.leader().id() >= 0) {
                leaders.put(
                        new TopicPartition(topic, partition.partition()),
                        partition.leader().id());
            }
        }
        return leaders;
    }

    /** Waits until so many nodes lead all partitions of a topic, each at least four fifths of its share. */
    void awaitShares(String topic, int partitions, int nodes) {
        long end = System.nanoTime() + LIMIT_MS * 1_000_000;
        while (true) {
            Map<TopicPartition, Integer> leaders = leaders(topic);
            Map<Integer, Integer> led = new HashMap<>();
            leaders.values().forEach(node -> led.merge(node, 1, Integer::sum));
            long fair = led.values().stream()
                    .filter(count -> count >= partitions / nodes * 4 / 5)
                    .count();
            if (leaders.size() == partitions && fair == nodes) {
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the partitions are not spread over " + nodes + " nodes: " + led);
            }
            Rig.pause(20);
        }
    }

    /** How many of the acknowledged records cannot be read. */
    long lost(Map<TopicPartition, Long> acknowledged) {
        Map<TopicPartition, Long> left = new HashMap<>(acknowledged);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> all = new ArrayList<>(acknowledged.keySet());
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            long wanted = ends.values().stream().mapToLong(Long::longValue).sum();
            long stall = System.nanoTime() + LIMIT_MS * 1_000_000;
            for (long seen = 0; seen < wanted && System.nanoTime() - stall < 0; ) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    seen++;
                    left.merge(new TopicPartition(record.topic(), record.partition()), -1L, Long::sum);
                }
            }
        }
        return left.values().stream().mapToLong(missing -> Math.max(0, missing)).sum();
    }

    /** A question whose answer somebody waits for. */
    private interface Asked<T> {
        T get() throws InterruptedException, ExecutionException;
    }

    private static <T> T await(Asked<T> asked) {
        try {
            return asked.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(String.valueOf(e.getCause()), e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
