package io.forebay.log.journal;

/**
 * How stubborn a fence is.
 *
 * @param tries attempts for each request before the whole fence fails and may be repeated
 * @param backoffMs pause before the second attempt; doubles up to {@code maxBackoffMs}
 * @param requestTimeoutMs a request without an answer for this long is tried again
 */
public record FenceConfig(int tries, long backoffMs, long maxBackoffMs, long requestTimeoutMs) {

    public static final FenceConfig DEFAULT = new FenceConfig(10, 20, 2_000, 10_000);

    public FenceConfig {
        if (tries < 1 || backoffMs < 0 || maxBackoffMs < backoffMs || requestTimeoutMs < 1) {
            throw new IllegalArgumentException("fence: " + tries + " tries, pauses of " + backoffMs + " to "
                    + maxBackoffMs + " ms, requests of " + requestTimeoutMs + " ms");
        }
    }
}
