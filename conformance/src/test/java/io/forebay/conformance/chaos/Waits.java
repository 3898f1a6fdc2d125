package io.forebay.conformance.chaos;

import java.util.Arrays;

/** How long records waited for their acknowledgement, and up to when each partition has acknowledged. Thread-safe. */
final class Waits {

    private final long[] sentNanos;
    private long longestNanos;
    private long longestLately;

    Waits(int partitions) {
        this.sentNanos = new long[partitions];
        Arrays.fill(sentNanos, System.nanoTime());
    }

    synchronized void acknowledged(int partition, long sentAtNanos, long nowNanos) {
        if (sentAtNanos - sentNanos[partition] > 0) {
            sentNanos[partition] = sentAtNanos;
        }
        longestNanos = Math.max(longestNanos, nowNanos - sentAtNanos);
        longestLately = Math.max(longestLately, nowNanos - sentAtNanos);
    }

    /** Whether every partition has acknowledged a record that was sent after this time. */
    synchronized boolean allSince(long nanos) {
        return Arrays.stream(sentNanos).allMatch(sent -> sent - nanos > 0);
    }

    /** The longest wait so far, in milliseconds. */
    synchronized long longestMs() {
        return longestNanos / 1_000_000;
    }

    /** The longest wait among the acknowledgements since the last call, in milliseconds. */
    synchronized long takeLongestLatelyMs() {
        long taken = longestLately;
        longestLately = 0;
        return taken / 1_000_000;
    }
}
