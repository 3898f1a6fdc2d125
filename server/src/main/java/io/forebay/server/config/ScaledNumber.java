package io.forebay.server.config;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A whole number with a unit behind it; letter case and a space before the unit do not matter. */
final class ScaledNumber {
    private ScaledNumber() {}

    /** The number times the factor of its unit; empty if it is no number, has an unknown unit or does not fit. */
    static Optional<Long> parse(String text, Map<String, Long> factors) {
        String trimmed = text.strip();
        int digits = trimmed.startsWith("-") ? 1 : 0;
        while (digits < trimmed.length() && Character.isDigit(trimmed.charAt(digits))) {
            digits++;
        }
        Long factor = factors.get(trimmed.substring(digits).strip().toLowerCase(Locale.ROOT));
        if (factor == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Math.multiplyExact(Long.parseLong(trimmed.substring(0, digits)), factor));
        } catch (NumberFormatException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
