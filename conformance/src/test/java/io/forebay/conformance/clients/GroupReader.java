package io.forebay.conformance.clients;

import io.forebay.conformance.harness.KeyedText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Members of one group, a thread each, that read a topic until the group has reached given end offsets. A member commits
 * what it has handled when it loses a partition, so that nothing is handled twice while all members live.
 */
final class GroupReader {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Map<String, Object> settings;
    private final String topic;
    private final KeyedText text = new KeyedText();
    private final Map<TopicPartition, Long> handledTo = new ConcurrentHashMap<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private final List<Integer> handledByMember = new ArrayList<>();

    GroupReader(String bootstrap, String topic, String group, String protocol) {
        this.topic = topic;
        Map<String, Object> common = new HashMap<>();
        common.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        common.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        common.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol);
        common.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        common.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        this.settings = Map.copyOf(common);
    }

    /** Reads with {@code members} members until all of {@code ends} are reached; what they read, key by key. */
    KeyedText read(int members, Map<TopicPartition, Long> ends) {
        ExecutorService threads = Executors.newFixedThreadPool(members);
        try {
            List<Future<Integer>> running = new ArrayList<>();
            for (int i = 0; i < members; i++) {
                running.add(threads.submit(() -> member(ends)));
            }
            for (Future<Integer> member : running) {
                handledByMember.add(member.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
            return text;
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("reached " + handledTo + " of " + ends, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            done.set(true);
            threads.shutdownNow();
        }
    }

    /** How many records each member handled. */
    List<Integer> handledByMember() {
        return List.copyOf(handledByMember);
    }

    private int member(Map<TopicPartition, Long> ends) {
        int handled = 0;
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic), new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                    consumer.commitSync();
                }

                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
            });
            while (!done.get()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    handle(record);
                    handled++;
                }
                if (ends.entrySet().stream()
                        .allMatch(end -> handledTo.getOrDefault(end.getKey(), 0L) >= end.getValue())) {
                    done.set(true);
                }
            }
            consumer.commitSync();
        }
        return handled;
    }

    private void handle(ConsumerRecord<byte[], byte[]> record) {
        synchronized (text) {
            text.add(record.key(), record.value());
        }
        handledTo.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
    }
}
