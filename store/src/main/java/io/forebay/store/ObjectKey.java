package io.forebay.store;

import org.jspecify.annotations.Nullable;

/**
 * The name of an object: parts of {@code [a-z0-9._-]} separated by single slashes, at most {@value #MAX_CHARACTERS}
 * characters in all and {@value #MAX_PART_CHARACTERS} in a part; no part starts with a dot. Keys sort as strings; numbers
 * in keys are therefore written with leading zeros ({@link #padded}).
 */
public record ObjectKey(String value) implements Comparable<ObjectKey> {

    public static final int MAX_CHARACTERS = 512;

    /** Leaves room for what a back end adds to a file name. */
    public static final int MAX_PART_CHARACTERS = 200;

    public ObjectKey {
        String fault = fault(value);
        if (fault != null) {
            throw new IllegalArgumentException("not an object key: '" + value + "': " + fault);
        }
    }

    public static ObjectKey of(String value) {
        return new ObjectKey(value);
    }

    /** Whether {@link #of} would take it. */
    public static boolean isValid(String value) {
        return fault(value) == null;
    }

    /** {@code number} with leading zeros, 20 digits wide, so that keys sort by it. */
    public static String padded(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("numbers in keys are not negative: " + number);
        }
        String digits = Long.toString(number);
        return "0".repeat(20 - digits.length()) + digits;
    }

    /** The last part. */
    public String name() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    @Override
    public int compareTo(ObjectKey other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }

    private static @Nullable String fault(String value) {
        if (value.isEmpty() || value.length() > MAX_CHARACTERS) {
            return "it has 1 to " + MAX_CHARACTERS + " characters";
        }
        int partFrom = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
            boolean partStart = i == partFrom;
            if (c == '/' ? partStart : !(plain || (c == '.' && !partStart))) {
                return "character " + i;
            }
            if (c == '/') {
                partFrom = i + 1;
            } else if (i - partFrom >= MAX_PART_CHARACTERS) {
                return "a part has at most " + MAX_PART_CHARACTERS + " characters";
            }
        }
        return partFrom == value.length() ? "it does not end with a slash" : null;
    }
}
