package io.forebay.conformance.chaos;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What a producer's n-th record holds: who sent it as which one, and noise whose length and content follow from that, so
 * that a reader can tell a damaged one.
 *
 * @param producer from 0
 * @param sequence from 0, without gaps in one producer
 */
record NumberedValue(int producer, int sequence) {

    private static final int KEYS = 97;
    private static final int NUMBER_BYTES = 8;
    private static final int SMALL_BYTES = 600;
    private static final int LARGE_BYTES = 40_000;
    /** One in so many is large: its batch goes another way through the log than the small ones. */
    private static final int LARGE_ONE_IN = 50;

    /** Every key belongs to one producer, so all values of a key come from it in order. */
    byte[] key() {
        return ("producer-" + producer + "-key-" + sequence % KEYS).getBytes(StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        SplittableRandom noise = new SplittableRandom(((long) producer << 32) | sequence);
        int length = noise.nextInt(LARGE_ONE_IN) == 0 ? noise.nextInt(LARGE_BYTES) : noise.nextInt(SMALL_BYTES);
        byte[] bytes = new byte[NUMBER_BYTES + length];
        noise.nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(producer).putInt(sequence);
        return bytes;
    }

    /** Whose value this is; empty unless key and value are exactly what that producer sends. */
    static Optional<NumberedValue> of(byte[] key, byte[] value) {
        if (value.length < NUMBER_BYTES) {
            return Optional.empty();
        }
        ByteBuffer numbers = ByteBuffer.wrap(value);
        NumberedValue claimed = new NumberedValue(numbers.getInt(), numbers.getInt());
        return claimed.sequence >= 0 && Arrays.equals(claimed.key(), key) && Arrays.equals(claimed.bytes(), value)
                ? Optional.of(claimed)
                : Optional.empty();
    }
}
