package io.forebay.log.journal;

import java.util.random.RandomGenerator;

/**
 * Who made an object: the incarnation id of a process, 128 random bits. Tells an own object from another's after an ambiguous
 * answer of the store.
 */
public record Maker(long high, long low) {

    public static Maker random(RandomGenerator random) {
        return new Maker(random.nextLong(), random.nextLong());
    }

    /** 32 hex digits. */
    @Override
    public String toString() {
        return hex(high) + hex(low);
    }

    private static String hex(long bits) {
        String digits = Long.toHexString(bits);
        return "0".repeat(16 - digits.length()) + digits;
    }
}
