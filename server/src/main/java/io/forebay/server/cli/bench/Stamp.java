package io.forebay.server.cli.bench;

import java.nio.ByteBuffer;

/** The first bytes of a value in an end-to-end run: run id (8 bytes), intended time in nanoseconds (8 bytes). */
final class Stamp {
    static final int BYTES = 16;

    private Stamp() {}

    static void write(byte[] value, long runId, long intendedNanos) {
        ByteBuffer.wrap(value).putLong(runId).putLong(intendedNanos);
    }

    static boolean isOf(byte[] value, long runId) {
        return value.length >= BYTES && ByteBuffer.wrap(value).getLong() == runId;
    }

    static long intendedNanos(byte[] value) {
        return ByteBuffer.wrap(value).getLong(Long.BYTES);
    }
}
