package io.forebay.server.config;

import java.util.Map;
import java.util.Optional;

/** Texts for durations in milliseconds: {@code 500}, {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h}, {@code 7d}. */
public final class TimeSpan {
    private static final Map<String, Long> FACTORS =
            Map.of("", 1L, "ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private TimeSpan() {}

    public static Optional<Long> parse(String text) {
        return ScaledNumber.parse(text, FACTORS);
    }

    /** The shortest exact text. */
    public static String format(long millis) {
        if (millis <= 0) {
            return Long.toString(millis);
        }
        if (millis % 86_400_000L == 0) {
            return millis / 86_400_000L + "d";
        }
        if (millis % 3_600_000L == 0) {
            return millis / 3_600_000L + "h";
        }
        if (millis % 60_000L == 0) {
            return millis / 60_000L + "m";
        }
        if (millis % 1_000L == 0) {
            return millis / 1_000L + "s";
        }
        return millis + "ms";
    }
}
