package io.forebay.log.journal;

/**
 * How stubborn a fence is.
 *
 * @param tries attempts for each request whose outcome stays unknown, before the whole fence fails and may be repeated
 * @param backoffMs pause before the second attempt; doubles up to {@code maxBackoffMs}
 */
public record FenceConfig(int tries, long backoffMs, long maxBackoffMs) {

    public static final FenceConfig DEFAULT = new FenceConfig(10, 20, 2_000);

    public FenceConfig {
        if (tries < 1 || backoffMs < 0 || maxBackoffMs < backoffMs) {
            throw new IllegalArgumentException(
                    "fence: " + tries + " tries, " + backoffMs + " to " + maxBackoffMs + " ms");
        }
    }
}
