package io.forebay.broker.partition;

import java.nio.ByteBuffer;

/**
 * Walks over the records of an uncompressed batch without copying anything.
 *
 * <p>A record: length (varint), attributes (1 byte), timestamp delta (varlong), offset delta (varint), key length (varint, −1 none),
 * key, value length (varint, −1 none), value, headers (source: Kafka protocol guide, record).
 */
final class RecordCursor {

    private final ByteBuffer bytes;
    private final int end;
    private int at;
    private long value;
    private boolean key;

    RecordCursor(ByteBuffer bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Moves behind the next record. False if it is malformed or its offset delta isn't {@code expectedDelta}. */
    boolean next(int expectedDelta) {
        if (!varint(end)) {
            return false;
        }
        long length = value;
        if (length < 1 || length > end - at) {
            return false;
        }
        int recordEnd = at + (int) length;
        at++;
        boolean timestamp = varint(recordEnd);
        boolean delta = timestamp && varint(recordEnd) && value == expectedDelta;
        if (!delta || !varint(recordEnd)) {
            return false;
        }
        long keyLength = value;
        key = keyLength >= 0;
        if (keyLength < -1 || keyLength > recordEnd - at) {
            return false;
        }
        at = recordEnd;
        return true;
    }

    boolean hasKey() {
        return key;
    }

    boolean atEnd() {
        return at == end;
    }

    /** Reads a zigzag varint of at most ten bytes into {@code value}. */
    private boolean varint(int limit) {
        long raw = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= limit) {
                return false;
            }
            byte b = bytes.get(at++);
            raw |= (b & 0x7fL) << shift;
            if (b >= 0) {
                value = (raw >>> 1) ^ -(raw & 1);
                return true;
            }
        }
        return false;
    }
}
