package io.forebay.server.config;

import java.util.Map;
import java.util.Optional;

/** Texts for numbers of bytes: {@code 65536}, {@code 64KiB}, {@code 16 MiB}, {@code 4GiB} (powers of 1024 only). */
public final class ByteSize {
    private static final Map<String, Long> FACTORS =
            Map.of("", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30, "tib", 1L << 40);

    private ByteSize() {}

    public static Optional<Long> parse(String text) {
        return ScaledNumber.parse(text, FACTORS);
    }

    /** The shortest exact text. */
    public static String format(long bytes) {
        String[] units = {"", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        long value = bytes;
        while (value != 0 && value % 1024 == 0 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return value + units[unit];
    }
}
