package io.forebay.log.batch;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads and patches the header of a Kafka record batch, version 2, that begins at a position of a buffer.
 *
 * <pre>
 *  0 base offset 8 | 8 length 4 | 12 leader epoch 4 | 16 magic 1 | 17 CRC 4 | 21 attributes 2 | 23 last offset delta 4
 * 27 base timestamp 8 | 35 max timestamp 8 | 43 producer id 8 | 51 producer epoch 2 | 53 base sequence 4 | 57 records 4 | 61 …
 * </pre>
 *
 * The CRC (CRC32C) covers everything from the attributes on; so base offset and leader epoch can be patched without it.
 * All methods use absolute positions and leave the buffer's own position and limit alone (source: Kafka protocol guide, record batch).
 */
public final class BatchView {

    /** Bytes before the first record. */
    public static final int HEADER_BYTES = 61;
    /** Bytes in front of what the length field counts. */
    public static final int LENGTH_OVERHEAD = 12;
    /** Where the part covered by the batch's own CRC begins. */
    public static final int CRC_FROM = 21;

    public static final byte MAGIC = 2;
    public static final long NO_PRODUCER = -1;

    private static final int COMPRESSION_MASK = 0x07;
    private static final int LOG_APPEND_TIME = 0x08;
    private static final int TRANSACTIONAL = 0x10;
    private static final int CONTROL = 0x20;

    private BatchView() {}

    public static long baseOffset(ByteBuffer b, int at) {
        return b.getLong(at);
    }

    /** Size of the whole batch in bytes, as its length field says. */
    public static int sizeBytes(ByteBuffer b, int at) {
        return LENGTH_OVERHEAD + b.getInt(at + 8);
    }

    public static int leaderEpoch(ByteBuffer b, int at) {
        return b.getInt(at + 12);
    }

    public static byte magic(ByteBuffer b, int at) {
        return b.get(at + 16);
    }

    public static int crc(ByteBuffer b, int at) {
        return b.getInt(at + 17);
    }

    public static short attributes(ByteBuffer b, int at) {
        return b.getShort(at + 21);
    }

    public static int lastOffsetDelta(ByteBuffer b, int at) {
        return b.getInt(at + 23);
    }

    public static long lastOffset(ByteBuffer b, int at) {
        return baseOffset(b, at) + lastOffsetDelta(b, at);
    }

    public static long baseTimestamp(ByteBuffer b, int at) {
        return b.getLong(at + 27);
    }

    public static long maxTimestamp(ByteBuffer b, int at) {
        return b.getLong(at + 35);
    }

    public static long producerId(ByteBuffer b, int at) {
        return b.getLong(at + 43);
    }

    public static short producerEpoch(ByteBuffer b, int at) {
        return b.getShort(at + 51);
    }

    public static int baseSequence(ByteBuffer b, int at) {
        return b.getInt(at + 53);
    }

    public static int recordCount(ByteBuffer b, int at) {
        return b.getInt(at + 57);
    }

    /** 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd. */
    public static int compression(ByteBuffer b, int at) {
        return attributes(b, at) & COMPRESSION_MASK;
    }

    public static boolean isTransactional(short attributes) {
        return (attributes & TRANSACTIONAL) != 0;
    }

    public static boolean isControl(short attributes) {
        return (attributes & CONTROL) != 0;
    }

    public static boolean isLogAppendTime(short attributes) {
        return (attributes & LOG_APPEND_TIME) != 0;
    }

    /** CRC32C of the batch's bytes from the attributes to its end. */
    public static int computeCrc(ByteBuffer b, int at) {
        ByteBuffer covered = b.duplicate();
        covered.limit(at + sizeBytes(b, at)).position(at + CRC_FROM);
        CRC32C crc = new CRC32C();
        crc.update(covered);
        return (int) crc.getValue();
    }

    /** Patches what the log assigns; the CRC stays valid. */
    public static void assign(ByteBuffer b, int at, long baseOffset, int leaderEpoch) {
        b.putLong(at, baseOffset);
        b.putInt(at + 12, leaderEpoch);
    }

    /** Makes the log's time the timestamp of all records (LogAppendTime) and computes the CRC anew. */
    public static void stampLogAppendTime(ByteBuffer b, int at, long timestampMs) {
        b.putShort(at + 21, (short) (attributes(b, at) | LOG_APPEND_TIME));
        b.putLong(at + 35, timestampMs);
        b.putInt(at + 17, computeCrc(b, at));
    }
}
