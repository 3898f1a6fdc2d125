package io.forebay.server.cli.records;

import io.forebay.model.Clock;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.Words;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Counts what was sent, by the command's thread, and what became of it, by the producer's thread. */
final class ProduceOutcome {
    private final Clock clock;
    private final long startNanos;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();
    private Optional<String> badLine = Optional.empty();
    private long sent;
    private long bytes;

    ProduceOutcome(Clock clock) {
        this.clock = clock;
        this.startNanos = clock.nanos();
    }

    void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        sent++;
        bytes += record.value().length + (record.key() == null ? 0 : record.key().length);
        // The callback has the outcome; the future would only repeat it.
        Future<?> unused = producer.send(record, (metadata, failure) -> {
            if (failure == null) {
                acknowledged.incrementAndGet();
            } else {
                failed(failure);
            }
        });
    }

    void failed(Throwable failure) {
        firstFailure.compareAndSet(null, failure);
    }

    /** Why no more lines were read, in words, if that is not their end. */
    void stoppedAt(String problem) {
        badLine = Optional.of(problem);
    }

    Optional<String> badLine() {
        return badLine;
    }

    Optional<Throwable> firstFailure() {
        return Optional.ofNullable(firstFailure.get());
    }

    boolean complete() {
        return badLine.isEmpty() && firstFailure().isEmpty();
    }

    long sent() {
        return sent;
    }

    long unacknowledged() {
        return sent - acknowledged.get();
    }

    String sentence() {
        double seconds = seconds();
        return Words.count(sent, "record") + " (" + Words.bytes((double) bytes) + ") in " + Words.seconds(seconds)
                + ", " + Words.rate(sent / seconds);
    }

    Map<String, Object> toJson(String topic) {
        return Json.object(
                "topic",
                topic,
                "sent",
                sent,
                "acknowledged",
                acknowledged.get(),
                "bytes",
                bytes,
                "seconds",
                seconds(),
                "failure",
                firstFailure().map(Throwable::toString).or(() -> badLine));
    }

    private double seconds() {
        return Math.max(1e-6, (clock.nanos() - startNanos) / 1e9);
    }
}
