package io.forebay.log.segment;

import io.forebay.log.journal.Maker;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Header and trailer of a segment (docs/formats/segment.md). */
final class SegmentLayout {

    static final int HEADER_BYTES = 64;
    static final int TRAILER_BYTES = 32;
    /** A block is at least this long unless it is a partition's last. */
    static final int BLOCK_BYTES = 64 << 10;

    private static final short HEADER_MAGIC = 0x4653;
    private static final short TRAILER_MAGIC = 0x4654;
    private static final byte VERSION = 1;
    private static final byte KIND_SEGMENT = 1;

    private SegmentLayout() {}

    /** Where the footer lies. */
    record Trailer(long footerPosition, int footerLength, int footerCrc) {}

    static ByteBuffer header(int shard, long epoch, long createdMs, Maker maker) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        header.putShort(HEADER_MAGIC)
                .put(VERSION)
                .put(KIND_SEGMENT)
                .putInt(shard)
                .putLong(epoch);
        header.putLong(createdMs).putLong(maker.high()).putLong(maker.low());
        header.putInt(HEADER_BYTES - 4, crc(header, 0, HEADER_BYTES - 4));
        return header.clear();
    }

    static ByteBuffer trailer(long footerPosition, ByteBuffer footer) {
        ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES);
        trailer.putShort(TRAILER_MAGIC).put(VERSION).put((byte) 0).putInt(footer.remaining());
        trailer.putLong(footerPosition);
        trailer.putInt(24, crc(footer, footer.position(), footer.remaining()));
        trailer.putInt(28, crc(trailer, 0, 28));
        return trailer.clear();
    }

    /**
     * @param at where the trailer begins
     * @throws StoreException CORRUPT, or INVALID for a newer format
     */
    static Trailer readTrailer(ObjectKey key, ByteBuffer b, int at) {
        if (b.getShort(at) != TRAILER_MAGIC || crc(b, at, 28) != b.getInt(at + 28)) {
            throw new StoreException(StoreException.Kind.CORRUPT, "segment " + key + ": its trailer is damaged");
        }
        if (b.get(at + 2) != VERSION) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "segment " + key + " has format version " + b.get(at + 2) + ", this program reads " + VERSION);
        }
        return new Trailer(b.getLong(at + 8), b.getInt(at + 4), b.getInt(at + 24));
    }

    static int crc(ByteBuffer b, int at, int length) {
        CRC32C crc = new CRC32C();
        crc.update(b.duplicate().limit(at + length).position(at));
        return (int) crc.getValue();
    }
}
