package io.forebay.broker.session;

/**
 * The moving mean of a counter's growth over half a minute: what is longer ago counts less and less. What was not yet there to be measured counts as if
 * it had been the same, so a young mean is right on average, if rough. Owned by the control loop.
 */
final class LoadMean {

    private static final double WINDOW_SECONDS = 30;
    /** Who is younger than this counts as this old: a single request at the beginning is no load for ever. */
    private static final double YOUNGEST_SECONDS = 3;

    private static final double NANOS = 1e9;

    private final long beganNanos;
    private long lastNanos;
    private long lastTotal;
    private double mean;

    LoadMean(long nowNanos) {
        beganNanos = nowNanos;
        lastNanos = nowNanos;
    }

    /**
     * Takes the counter's state into account.
     *
     * @param total never smaller than before
     * @return growth in each second
     */
    long measure(long total, long nowNanos) {
        long elapsedNanos = nowNanos - lastNanos;
        if (elapsedNanos > 0) {
            double share = 1 - Math.exp(-elapsedNanos / (NANOS * WINDOW_SECONDS));
            mean += share * ((total - lastTotal) * NANOS / elapsedNanos - mean);
            lastNanos = nowNanos;
            lastTotal = total;
        }
        double ageSeconds = Math.max(YOUNGEST_SECONDS, (nowNanos - beganNanos) / NANOS);
        return Math.round(mean / (1 - Math.exp(-ageSeconds / WINDOW_SECONDS)));
    }
}
