package io.forebay.cluster.control;

/**
 * Times of the control plane, and what it takes for a difference.
 *
 * @param sessionTimeoutMs silence after which a member counts as dead; also how long a proof of the right to serve is good
 * @param loadFloorBytes differences of load below it make no difference to the balance, in weighted bytes each second
 */
public record ControlConfig(long sessionTimeoutMs, long loadFloorBytes) {

    /** One MiB each second: what no node notices. */
    public static final long LOAD_FLOOR_BYTES = 1 << 20;

    /** The feature level of this version: what it can read and write. */
    public static final int LEVEL = 2;

    public ControlConfig {
        if (sessionTimeoutMs < 10) {
            throw new IllegalArgumentException("a session time-out is at least 10 ms, not " + sessionTimeoutMs);
        }
        if (loadFloorBytes < 1) {
            throw new IllegalArgumentException("loads that differ by nothing are even: " + loadFloorBytes);
        }
    }

    /** How long an answer to a member waits for news: a tenth of the time-out. */
    public long attendMs() {
        return sessionTimeoutMs / 10;
    }

    /** How long a question may stay unanswered beyond the time that its answer waits for news. */
    public long answerMs() {
        return sessionTimeoutMs / 3;
    }

    long sessionTimeoutNanos() {
        return sessionTimeoutMs * 1_000_000;
    }
}
