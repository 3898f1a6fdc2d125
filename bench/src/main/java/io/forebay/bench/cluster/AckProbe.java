package io.forebay.bench.cluster;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One record after the other to every partition, each again a while after it was acknowledged, with no back-off above 50 ms. So it is known when each partition acknowledged
 * last, and how long none did.
 */
final class AckProbe implements AutoCloseable {

    private static final byte[] VALUE = new byte[64];

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final long everyMs;
    private final AtomicLongArray sentNanos;
    private final AtomicLongArray ackedSentNanos;
    private final AtomicLongArray longestGapNanos;
    private final AtomicLongArray ackedNanos;
    private final AtomicLong failures = new AtomicLong();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "probe");
        thread.setDaemon(true);
        return thread;
    });

    /** @param everyMs pause between an acknowledgement and the partition's next record */
    AckProbe(String bootstrap, String topic, int partitions, long everyMs) {
        this.topic = topic;
        this.everyMs = everyMs;
        this.sentNanos = new AtomicLongArray(partitions);
        this.ackedSentNanos = new AtomicLongArray(partitions);
        this.longestGapNanos = new AtomicLongArray(partitions);
        this.ackedNanos = new AtomicLongArray(partitions);
        this.producer = new KafkaProducer<>(
                Map.ofEntries(
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
                        Map.entry("buffer.memory", "67108864")),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        for (int i = 0; i < partitions; i++) {
            int partition = i;
            var unused = timer.schedule(() -> send(partition), i % everyMs, TimeUnit.MILLISECONDS);
        }
    }

    private void send(int partition) {
        long now = System.nanoTime();
        sentNanos.set(partition, now);
        var unused = producer.send(new ProducerRecord<>(topic, partition, null, VALUE), (metadata, failure) -> {
            if (failure == null) {
                long acked = System.nanoTime();
                long before = ackedNanos.getAndSet(partition, acked);
                if (before != 0) {
                    longestGapNanos.accumulateAndGet(partition, acked - before, Math::max);
                }
                ackedSentNanos.set(partition, now);
            } else {
                failures.incrementAndGet();
            }
            if (!timer.isShutdown()) {
                var unusedNext = timer.schedule(() -> send(partition), everyMs, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Waits until every partition has acknowledged something after a moment; returns how long after it the last one did, in ms. */
    long allAckedAfter(long nanos, long limitMs) {
        long end = nanos + limitMs * 1_000_000;
        while (System.nanoTime() - end < 0) {
            long latest = 0;
            boolean all = true;
            for (int i = 0; i < ackedNanos.length() && all; i++) {
                long acked = ackedNanos.get(i);
                all = acked != 0 && acked - nanos > 0;
                latest = Math.max(latest, acked - nanos);
            }
            if (all) {
                return latest / 1_000_000;
            }
            LockSupport.parkNanos(5_000_000);
        }
        throw new IllegalStateException("not all partitions acknowledged within " + limitMs + " ms");
    }

    /** Begins to look for the longest gaps anew. */
    void forgetGaps() {
        for (int i = 0; i < longestGapNanos.length(); i++) {
            longestGapNanos.set(i, 0);
        }
    }

    /** The longest time between two acknowledgements of a partition, over the pause between two records, in ms: the given part of partitions had less. */
    long gapMs(double part) {
        long[] gaps = new long[longestGapNanos.length()];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = longestGapNanos.get(i);
        }
        java.util.Arrays.sort(gaps);
        int at = (int) Math.min(gaps.length - 1L, Math.round(part * gaps.length));
        return Math.max(0, gaps[at] / 1_000_000 - everyMs);
    }

    long failures() {
        return failures.get();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        producer.close(java.time.Duration.ofSeconds(5));
    }
}
