package io.forebay.cluster.control;

/**
 * Times of the control plane.
 *
 * @param sessionTimeoutMs silence after which a member counts as dead; also how long a proof of the right to serve is good
 */
public record ControlConfig(long sessionTimeoutMs) {

    /** The feature level of this version: what it can read and write. */
    public static final int LEVEL = 2;

    public ControlConfig {
        if (sessionTimeoutMs < 10) {
            throw new IllegalArgumentException("a session time-out is at least 10 ms, not " + sessionTimeoutMs);
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
