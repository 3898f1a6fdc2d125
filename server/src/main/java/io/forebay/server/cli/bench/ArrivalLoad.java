package io.forebay.server.cli.bench;

import io.forebay.model.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an end-to-end run sends and measures how long it was on its way. {@link #run} belongs to a thread of its
 * own, which also owns the consumer; the rest is for any thread.
 */
final class ArrivalLoad implements Runnable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Collection<TopicPartition> partitions;
    private final long runId;
    private final Clock clock;
    private final LoadCount arrived = new LoadCount();
    private final Latencies latencies = new Latencies();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch complete = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicLong seen = new AtomicLong();
    private volatile long expected = Long.MAX_VALUE;
    private volatile boolean stopped;
    private volatile long measuredFromNanos = Long.MAX_VALUE;

    ArrivalLoad(
            KafkaConsumer<byte[], byte[]> consumer, Collection<TopicPartition> partitions, long runId, Clock clock) {
        this.consumer = consumer;
        this.partitions = partitions;
        this.runId = runId;
        this.clock = clock;
    }

    @Override
    public void run() {
        try (consumer) {
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            for (TopicPartition partition : partitions) {
                long unused = consumer.position(partition); // settles where "end" is
            }
            ready.countDown();
            while (!stopped && seen.get() < expected) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    take(record);
                }
            }
        } catch (WakeupException e) {
            // told to stop
        } catch (KafkaException e) {
            failure.set(e);
        } finally {
            ready.countDown();
            complete.countDown();
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        if (!Stamp.isOf(record.value(), runId)) {
            return;
        }
        long now = clock.nanos();
        long intended = Stamp.intendedNanos(record.value());
        if (intended >= measuredFromNanos) {
            latencies.record(now - intended);
            arrived.add(record.value().length, now);
        }
        seen.lazySet(seen.get() + 1);
    }

    void awaitReady() throws InterruptedException {
        ready.await();
    }

    /** Records meant to be sent before this moment are not measured. Called before the first is sent. */
    void measureFrom(long nanos) {
        arrived.begin(nanos);
        measuredFromNanos = nanos;
    }

    /** Waits until so many records have come; false if that took too long. */
    boolean awaitRecords(long count, Duration patience) throws InterruptedException {
        expected = count;
        return complete.await(patience.toMillis(), TimeUnit.MILLISECONDS) && seen.get() >= count;
    }

    void stop() {
        stopped = true;
        consumer.wakeup();
    }

    long seen() {
        return seen.get();
    }

    LoadCount arrived() {
        return arrived;
    }

    Latencies latencies() {
        return latencies;
    }

    Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }
}
