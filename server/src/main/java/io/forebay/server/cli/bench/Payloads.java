package io.forebay.server.cli.bench;

import java.util.Random;

/** Values to send: bytes that compress about as well as text does, the same in every run. */
final class Payloads {
    private static final int VARIANTS = 64;
    private static final long SEED = 20_251;

    private final byte[][] variants = new byte[VARIANTS][];
    private final boolean stamped;
    private final long runId;
    private int next;

    private Payloads(int size, boolean stamped, long runId) {
        this.stamped = stamped;
        this.runId = runId;
        Random random = new Random(SEED);
        for (int i = 0; i < VARIANTS; i++) {
            byte[] bytes = new byte[size];
            for (int at = 0; at < size; at++) {
                bytes[at] = (byte) ('a' + random.nextInt(26));
            }
            variants[i] = bytes;
        }
    }

    /** Values without meaning. */
    static Payloads plain(int size) {
        return new Payloads(size, false, 0);
    }

    /** Values that say which run they belong to and when they were meant to be sent; at least {@link Stamp#BYTES}. */
    static Payloads stamped(int size, long runId) {
        return new Payloads(size, true, runId);
    }

    byte[] next(long intendedNanos) {
        byte[] variant = variants[next++ % VARIANTS];
        if (!stamped) {
            return variant;
        }
        byte[] bytes = variant.clone();
        Stamp.write(bytes, runId, intendedNanos);
        return bytes;
    }
}
