package io.forebay.log.journal;

import io.forebay.log.batch.BatchView;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes and checks frame headers and bodies.
 *
 * <pre>
 *  0 "FB" | 2 version | 3 kind | 4 body length 4 | 8 shard 4 | 12 record count 4 | 16 epoch 8 | 24 partition id 8
 * 32 base offset 8 | 40 durable end 8 | 48 salt 4 | 52 zero 4 | 56 body CRC 4 | 60 CRC of 0..59 | 64 body …
 * </pre>
 *
 * The static accessors read a frame that was found valid, at an absolute position; they leave the buffer's own position and limit
 * alone. Instances hold scratch memory: each is owned by one thread.
 */
public final class FrameCodec {

    public static final int HEADER_BYTES = 64;
    public static final int MAX_BODY_BYTES = 128 << 20;

    static final short MAGIC = (short) ('F' << 8 | 'B');
    private static final byte VERSION = 1;
    private static final int CRC_AT = 60;

    private final CRC32C crc = new CRC32C();
    private final byte[] scratch = new byte[HEADER_BYTES];
    private final ByteBuffer header = ByteBuffer.wrap(scratch);

    /** The value that ties a frame to its file. */
    public static int salt(JournalPath path, long number) {
        ByteBuffer b = ByteBuffer.allocate(20);
        b.putLong(path.session()).putInt(path.lane()).putLong(number);
        CRC32C crc = new CRC32C();
        crc.update(b.array());
        return (int) crc.getValue();
    }

    /**
     * Encodes the header of an entry's frame.
     *
     * @param body the frame's body, from position to limit
     * @return 64 bytes from position 0, valid until the next call
     */
    ByteBuffer encode(JournalEntry entry, ByteBuffer body, int salt, long durableEnd) {
        int bodyLength = body.remaining();
        checkBody(entry.kind(), bodyLength);
        header.clear();
        header.putShort(MAGIC).put(VERSION).put(entry.kind().code()).putInt(bodyLength);
        header.putInt(entry.shard()).putInt(entry.recordCount()).putLong(entry.epoch());
        header.putLong(entry.partitionId()).putLong(entry.baseOffset()).putLong(durableEnd);
        header.putInt(salt).putInt(0).putInt(bodyCrc(entry.kind(), body, body.position(), bodyLength));
        header.putInt(headerCrc());
        return header.flip();
    }

    /** Throws an IllegalArgumentException if no frame of this kind can have a body of this size. */
    static void checkBody(FrameKind kind, int bodyLength) {
        if (bodyLength > MAX_BODY_BYTES) {
            throw new IllegalArgumentException(
                    "a frame's body has at most " + MAX_BODY_BYTES + " bytes: " + bodyLength);
        }
        if (kind == FrameKind.BATCH && bodyLength < BatchView.HEADER_BYTES) {
            throw new IllegalArgumentException("a record batch has a header: " + bodyLength + " bytes");
        }
    }

    /** Whether a whole, valid frame header of the file with this salt lies at {@code at}; says nothing of the body. */
    boolean isHeader(ByteBuffer b, int at, int salt) {
        if (b.getShort(at) != MAGIC || b.getInt(at + 48) != salt) {
            return false;
        }
        b.get(at, scratch);
        return header.getInt(CRC_AT) == headerCrc()
                && scratch[2] == VERSION
                && FrameKind.ofCode(scratch[3]) != null
                && header.getInt(4) >= 0
                && header.getInt(4) <= MAX_BODY_BYTES
                && (scratch[3] != FrameKind.BATCH.code() || header.getInt(4) >= BatchView.HEADER_BYTES);
    }

    /**
     * Whether the body of the valid frame header at {@code at} is what was written.
     *
     * @param body holds the whole body at {@code bodyAt}
     */
    boolean isBody(ByteBuffer b, int at, ByteBuffer body, int bodyAt) {
        FrameKind kind = kind(b, at);
        int length = bodyLength(b, at);
        if (b.getInt(at + 56) != bodyCrc(kind, body, bodyAt, length)) {
            return false;
        }
        if (kind != FrameKind.BATCH) {
            return true;
        }
        return BatchView.sizeBytes(body, bodyAt) == length
                && BatchView.crc(body, bodyAt) == crcOf(body, bodyAt + BatchView.CRC_FROM, length - BatchView.CRC_FROM);
    }

    static FrameKind kind(ByteBuffer b, int at) {
        FrameKind kind = FrameKind.ofCode(b.get(at + 3));
        if (kind == null) {
            throw new IllegalStateException("not a frame that was found valid");
        }
        return kind;
    }

    static int bodyLength(ByteBuffer b, int at) {
        return b.getInt(at + 4);
    }

    static int shard(ByteBuffer b, int at) {
        return b.getInt(at + 8);
    }

    static int recordCount(ByteBuffer b, int at) {
        return b.getInt(at + 12);
    }

    static long epoch(ByteBuffer b, int at) {
        return b.getLong(at + 16);
    }

    static long partitionId(ByteBuffer b, int at) {
        return b.getLong(at + 24);
    }

    static long baseOffset(ByteBuffer b, int at) {
        return b.getLong(at + 32);
    }

    static long durableEnd(ByteBuffer b, int at) {
        return b.getLong(at + 40);
    }

    private int headerCrc() {
        crc.reset();
        crc.update(scratch, 0, CRC_AT);
        return (int) crc.getValue();
    }

    /** A batch checks itself from its attributes on: only what lies before needs a check here. */
    private int bodyCrc(FrameKind kind, ByteBuffer body, int at, int length) {
        return crcOf(body, at, kind == FrameKind.BATCH ? BatchView.CRC_FROM : length);
    }

    private int crcOf(ByteBuffer b, int at, int length) {
        int position = b.position();
        int limit = b.limit();
        crc.reset();
        crc.update(b.limit(at + length).position(at));
        b.limit(limit).position(position);
        return (int) crc.getValue();
    }
}
