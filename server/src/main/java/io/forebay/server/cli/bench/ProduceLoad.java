package io.forebay.server.cli.bench;

import io.forebay.model.Clock;
import io.forebay.server.cli.terminal.Pace;
import io.forebay.server.cli.terminal.ProgressLine;
import io.forebay.server.cli.terminal.StopRequest;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Sends records at a pace and counts their acknowledgements.
 *
 * <p>{@link #run} belongs to the command's thread, acknowledgements come on the producer's thread.
 */
final class ProduceLoad {
    private final LoadOptions options;
    private final TopicOptions topic;
    private final int partitionCount;
    private final Payloads payloads;
    private final Clock clock;
    private final LoadCount acknowledged = new LoadCount();
    private final Latencies latencies = new Latencies();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();
    private volatile long sent;

    ProduceLoad(LoadOptions options, TopicOptions topic, int partitionCount, Payloads payloads, Clock clock) {
        this.options = options;
        this.topic = topic;
        this.partitionCount = partitionCount;
        this.payloads = payloads;
        this.clock = clock;
    }

    /** Sends all there is to send and waits for the acknowledgements. */
    void run(Producer<byte[], byte[]> producer, StopRequest stop, ProgressLine progress, Supplier<String> words) {
        long startNanos = clock.nanos();
        long measuredFromNanos = startNanos + options.warmup.toNanos();
        long deadlineNanos = options.duration.map(d -> startNanos + d.toNanos()).orElse(Long.MAX_VALUE);
        acknowledged.begin(measuredFromNanos);
        Pace pace = new Pace(clock, options.rate.orElse(0.0));
        long limit = options.recordLimit();
        for (long index = 0; index < limit && !stop.requested(); index++) {
            long intended = pace.intendedNanos(index);
            if (intended >= deadlineNanos) {
                break;
            }
            pace.await(intended);
            if (clock.nanos() >= deadlineNanos) {
                break;
            }
            send(producer, index, intended, intended >= measuredFromNanos);
            progress.tick(words);
        }
        producer.flush();
    }

    private void send(Producer<byte[], byte[]> producer, long index, long intended, boolean measured) {
        Integer partition = options.spread == LoadOptions.Spread.even ? (int) (index % partitionCount) : null;
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic.name, partition, null, payloads.next(intended));
        sent = index + 1;
        // The callback has the outcome; the future would only repeat it.
        Future<?> unused = producer.send(record, (metadata, failure) -> {
            if (failure != null) {
                failures.incrementAndGet();
                firstFailure.compareAndSet(null, failure);
            } else if (measured) {
                long now = clock.nanos();
                latencies.record(now - intended);
                acknowledged.add(options.recordBytes, now);
            }
        });
    }

    long sent() {
        return sent;
    }

    LoadCount acknowledged() {
        return acknowledged;
    }

    Latencies latencies() {
        return latencies;
    }

    long failures() {
        return failures.get();
    }

    Optional<Throwable> firstFailure() {
        return Optional.ofNullable(firstFailure.get());
    }
}
