package io.forebay.bench.report;

import java.util.Locale;

/**
 * What a figure must reach.
 *
 * @param kind what is compared with the limit
 * @param limit the limit, a ratio or a value in the metric's unit
 */
public record Bar(Kind kind, double limit) {
    /** What is compared. */
    public enum Kind {
        /** Nothing: the figure is shown for information. */
        NONE,
        /** Figure over Kafka's, at most. */
        RATIO_AT_MOST,
        /** Figure over Kafka's, at least. */
        RATIO_AT_LEAST,
        /** As {@link #RATIO_AT_LEAST}, or the client's busiest thread had no time left. */
        RATIO_AT_LEAST_OR_CLIENT,
        /** Figure over the sum of Kafka's and one raw sync of the disk, at most. */
        SYNC_RATIO_AT_MOST,
        /** The figure itself, at most. */
        VALUE_AT_MOST,
        /** The figure itself, at least. */
        VALUE_AT_LEAST,
        /** Distance of the figure from 1, at most. */
        NEAR_ONE,
    }

    static final Bar NONE = new Bar(Kind.NONE, 0);

    /** For a table. */
    String words(String unit) {
        return switch (kind) {
            case NONE -> "";
            case RATIO_AT_MOST -> String.format(Locale.ROOT, "≤ %.1f × Kafka", limit);
            case RATIO_AT_LEAST -> String.format(Locale.ROOT, "≥ %.1f × Kafka", limit);
            case RATIO_AT_LEAST_OR_CLIENT ->
                String.format(Locale.ROOT, "≥ %.1f × Kafka, or the client is the limit", limit);
            case SYNC_RATIO_AT_MOST -> "≤ Kafka + 1 sync";
            case VALUE_AT_MOST -> String.format(Locale.ROOT, "≤ %s %s", plain(limit), unit);
            case VALUE_AT_LEAST -> String.format(Locale.ROOT, "≥ %s %s", plain(limit), unit);
            case NEAR_ONE -> String.format(Locale.ROOT, "1 ± %.1f", limit);
        };
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }
}
