package io.forebay.log.journal;

/**
 * When the next put may begin, since each one costs money. A put owes one linger, which time pays off; the pause before the next is a quarter of what is owed. So it
 * grows with use from nothing to the whole linger: in the long run there is one put for each, and after a rest four more. Not thread-safe.
 */
final class PutPace {

    private static final int DEPTH = 4;
    private static final long NANOS_PER_MS = 1_000_000;

    private final long lingerNanos;
    private long owedNanos;
    private long beganNanos;

    PutPace(long lingerMs) {
        this.lingerNanos = lingerMs * NANOS_PER_MS;
    }

    /** For how many milliseconds, rounded up, no put should begin; 0: it may begin now. */
    long waitMs(long nowNanos) {
        long left = owedNanos / DEPTH - (nowNanos - beganNanos);
        return left <= 0 ? 0 : (left + NANOS_PER_MS - 1) / NANOS_PER_MS;
    }

    /** Takes note of a put that begins now, whether or not it has waited. */
    void began(long nowNanos) {
        long unpaid = Math.max(0, owedNanos - (nowNanos - beganNanos));
        owedNanos = Math.min(unpaid + lingerNanos, DEPTH * lingerNanos);
        beganNanos = nowNanos;
    }
}
