package io.forebay.bench.cluster;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Asks partitions for acknowledgements, with no back-off above 50 ms: one record to each of them at once ({@link #ask}), and if wanted one record after the other to
 * each, again a while after it was acknowledged, so that it is known how long none was.
 */
final class AckProbe implements AutoCloseable {

    private static final byte[] VALUE = new byte[64];

    private final KafkaProducer<byte[], byte[]> producer;
    private final List<TopicPartition> partitions;
    private final long everyMs;
    private final AtomicLongArray ackedNanos;
    private final AtomicLongArray longestGapNanos;
    private final AtomicLongArray acks;
    private final AtomicLong failures = new AtomicLong();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "probe");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Begins to ask.
     *
     * @param everyMs pause between an acknowledgement and the partition's next record; 0: only when {@link #ask} is called
     */
    AckProbe(String bootstrap, List<TopicPartition> partitions, long everyMs) {
        this(bootstrap, partitions, everyMs, Map.of());
    }

    /** As above, with more settings of the producer. */
    AckProbe(String bootstrap, List<TopicPartition> partitions, long everyMs, Map<String, String> more) {
        this.partitions = List.copyOf(partitions);
        this.everyMs = everyMs;
        this.ackedNanos = new AtomicLongArray(partitions.size());
        this.longestGapNanos = new AtomicLongArray(partitions.size());
        this.acks = new AtomicLongArray(partitions.size());
        Map<String, Object> settings = new HashMap<>(Map.ofEntries(
                Map.entry("bootstrap.servers", bootstrap),
                Map.entry("acks", "all"),
                Map.entry("linger.ms", "0"),
                Map.entry("retries", Integer.toString(Integer.MAX_VALUE)),
                Map.entry("retry.backoff.ms", "20"),
                Map.entry("retry.backoff.max.ms", "50"),
                Map.entry("reconnect.backoff.ms", "20"),
                Map.entry("reconnect.backoff.max.ms", "50"),
                Map.entry("request.timeout.ms", "2000"),
                Map.entry("delivery.timeout.ms", "120000"),
                Map.entry("max.block.ms", "60000"),
                Map.entry("buffer.memory", "67108864")));
        settings.putAll(more);
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        for (int i = 0; everyMs > 0 && i < partitions.size(); i++) {
            int partition = i;
            var unused = timer.schedule(() -> sendNext(partition), i % everyMs, TimeUnit.MILLISECONDS);
        }
    }

    private void sendNext(int partition) {
        send(partition, () -> {
            if (!timer.isShutdown()) {
                var unusedNext = timer.schedule(() -> sendNext(partition), everyMs, TimeUnit.MILLISECONDS);
            }
        });
    }

    private void send(int index, Runnable then) {
        TopicPartition to = partitions.get(index);
        var unused =
                producer.send(new ProducerRecord<>(to.topic(), to.partition(), null, VALUE), (metadata, failure) -> {
                    if (failure == null) {
                        long acked = System.nanoTime();
                        acks.incrementAndGet(index);
                        long before = ackedNanos.getAndSet(index, acked);
                        if (before != 0) {
                            longestGapNanos.accumulateAndGet(index, acked - before, Math::max);
                        }
                    } else {
                        failures.incrementAndGet();
                    }
                    then.run();
                });
    }

    /** One record to every partition. Returns when all have left for the client's buffer. */
    Question ask() {
        Question question = new Question(partitions.size());
        for (int i = 0; i < partitions.size(); i++) {
            send(i, question::answered);
        }
        return question;
    }

    /** One record to every partition; returns when each was acknowledged. */
    void askAll(long limitMs) {
        double unused = ask().awaitMs(System.nanoTime(), limitMs);
    }

    /** Waits for the answers of one question. */
    static final class Question {
        private final AtomicLong left;
        private volatile long lastNanos;

        private Question(long left) {
            this.left = new AtomicLong(left);
        }

        private void answered() {
            lastNanos = System.nanoTime();
            left.decrementAndGet();
        }

        /** Waits until every partition has answered; how long after a moment the last one did, in ms. */
        double awaitMs(long sinceNanos, long limitMs) {
            long end = System.nanoTime() + limitMs * 1_000_000;
            while (left.get() > 0) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException(left + " partitions did not acknowledge within " + limitMs + " ms");
                }
                LockSupport.parkNanos(1_000_000);
            }
            return (lastNanos - sinceNanos) / 1e6;
        }
    }

    /** Begins to look for the longest gaps anew. */
    void forgetGaps() {
        for (int i = 0; i < longestGapNanos.length(); i++) {
            longestGapNanos.set(i, 0);
        }
    }

    /** The longest time between two acknowledgements of each partition, in ms, in ascending order. */
    double[] gapsMs() {
        double[] gaps = new double[longestGapNanos.length()];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = longestGapNanos.get(i) / 1e6;
        }
        Arrays.sort(gaps);
        return gaps;
    }

    /** The mean time between two acknowledgements of a partition, over some time, in ms. */
    double usualGapMs(long overMs) {
        long before = acknowledged();
        LockSupport.parkNanos(overMs * 1_000_000);
        return (double) overMs * partitions.size() / Math.max(1, acknowledged() - before);
    }

    /** Records acknowledged so far. */
    long acknowledged() {
        long sum = 0;
        for (int i = 0; i < acks.length(); i++) {
            sum += acks.get(i);
        }
        return sum;
    }

    /** Records acknowledged so far, by partition. */
    Map<TopicPartition, Long> acknowledgedByPartition() {
        Map<TopicPartition, Long> all = new HashMap<>();
        for (int i = 0; i < acks.length(); i++) {
            all.put(partitions.get(i), acks.get(i));
        }
        return all;
    }

    /** Sends that ended with an error. */
    long failures() {
        return failures.get();
    }

    /** Sends nothing more by itself, and waits for what is under way. */
    void rest() {
        timer.shutdownNow();
        producer.flush();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        producer.close(Duration.ofSeconds(5));
    }
}
