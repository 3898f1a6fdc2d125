package io.forebay.bench.load;

import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.Callback;

/**
 * Acknowledge latencies, counted from the moment a record was due and not from when it could be sent, so that a stalled
 * server is charged for the records it held up. Recorded on the producer's network thread; read after its last record.
 */
final class Latencies {
    private static final long HIGHEST_NANOS = 120_000_000_000L;

    private final Histogram nanos = new Histogram(HIGHEST_NANOS, 3);

    /** What to hand to a record that was due at a moment; the outcome goes on to {@code acks}. */
    Callback from(long due, Acks acks) {
        return (metadata, failure) -> {
            acks.onCompletion(metadata, failure);
            if (failure == null) {
                nanos.recordValue(Math.min(HIGHEST_NANOS, Math.max(0, System.nanoTime() - due)));
            }
        };
    }

    /** Adds percentiles in milliseconds to an answer. */
    Line addTo(Line answer) {
        return answer.with("p50", millis(50))
                .with("p99", millis(99))
                .with("p999", millis(99.9))
                .with("samples", nanos.getTotalCount());
    }

    private double millis(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e6;
    }
}
