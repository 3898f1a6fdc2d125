package io.forebay.log.journal;

import java.util.Arrays;

/**
 * Writes the few Protocol Buffers shapes that an index needs straight into one growing array, so that hundreds of thousands of
 * frames do not become as many boxed numbers. Owned by one thread.
 */
final class ProtoSink {

    private static final int WIRE_BYTES = 2;

    private byte[] bytes = new byte[256];
    private int size;

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    void varint(long value) {
        reserve(10);
        long left = value;
        while ((left & ~0x7fL) != 0) {
            bytes[size++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[size++] = (byte) left;
    }

    /** A sint32 or sint64. */
    void zigzag(long value) {
        varint((value << 1) ^ (value >> 63));
    }

    void varintField(int field, long value) {
        varint((long) field << 3);
        varint(value);
    }

    /** A nested message or a packed column. */
    void bytesField(int field, ProtoSink content) {
        varint((long) field << 3 | WIRE_BYTES);
        varint(content.size);
        append(content);
    }

    /** A nested message that is encoded already. */
    void bytesField(int field, byte[] content) {
        varint((long) field << 3 | WIRE_BYTES);
        varint(content.length);
        append(content);
    }

    void append(ProtoSink other) {
        append(other.bytes, other.size);
    }

    void append(byte[] other) {
        append(other, other.length);
    }

    private void append(byte[] other, int length) {
        reserve(length);
        System.arraycopy(other, 0, bytes, size, length);
        size += length;
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
        }
    }
}
