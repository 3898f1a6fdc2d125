package io.forebay.store;

/**
 * The name of an object: parts of {@code [a-z0-9._-]} separated by single slashes, at most 512 characters. Keys sort as
 * strings; numbers in keys are therefore written with leading zeros ({@link #padded}).
 */
public record ObjectKey(String value) implements Comparable<ObjectKey> {

    public ObjectKey {
        if (value.isEmpty() || value.length() > 512) {
            throw new IllegalArgumentException("an object key has 1 to 512 characters: '" + value + "'");
        }
        boolean partStart = true;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
            if (c == '/' ? partStart : !(plain || (c == '.' && !partStart))) {
                throw new IllegalArgumentException("not an object key: '" + value + "' at character " + i);
            }
            partStart = c == '/';
        }
        if (partStart) {
            throw new IllegalArgumentException("an object key does not end with a slash: '" + value + "'");
        }
    }

    public static ObjectKey of(String value) {
        return new ObjectKey(value);
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
}
