package io.forebay.log.journal;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The last 32 bytes of a file that was closed in good order: where its index lies (docs/formats/journal.md). Segments end with the
 * same layout under another magic.
 *
 * @param indexPosition where the index begins, which is where the frames end
 * @param indexLength in bytes
 * @param indexCrc CRC32C of the index
 * @param tie first half of the maker in the object's header: what a client sent cannot pass for a trailer
 */
public record JournalTrailer(long indexPosition, int indexLength, int indexCrc, long tie) {

    public static final int BYTES = 32;
    public static final short JOURNAL = (short) ('F' << 8 | 'X');
    public static final short SEGMENT = (short) ('F' << 8 | 'T');

    private static final byte VERSION = 1;
    private static final int CRC_AT = 28;

    /** The trailer of an index that begins at {@code position} and is all of {@code index}, from position to limit. */
    public static JournalTrailer of(long position, ByteBuffer index, Maker maker) {
        return new JournalTrailer(position, index.remaining(), crcOf(index), maker.high());
    }

    /** Whether this is the index that the trailer speaks of; {@code index} from position to limit. */
    public boolean covers(ByteBuffer index) {
        return index.remaining() == indexLength && crcOf(index) == indexCrc;
    }

    /** The 32 bytes, position 0. */
    public ByteBuffer encode(short magic) {
        ByteBuffer b = ByteBuffer.allocate(BYTES);
        b.putShort(magic).put(VERSION).put((byte) 0).putInt(indexLength).putLong(indexPosition);
        b.putLong(tie).putInt(indexCrc);
        b.putInt(crcOf(b.duplicate().flip()));
        return b.flip();
    }

    /**
     * Reads a trailer from a buffer's position, which does not move.
     *
     * @param objectEnd where the trailer ends in its object: an index must fit exactly before it
     */
    public static Optional<JournalTrailer> decode(ByteBuffer bytes, short magic, long objectEnd) {
        if (bytes.remaining() < BYTES) {
            return Optional.empty();
        }
        ByteBuffer b = ByteBuffer.allocate(BYTES);
        b.put(0, bytes, bytes.position(), BYTES);
        if (b.getShort(0) != magic || b.get(2) != VERSION || b.getInt(CRC_AT) != crcOf(b.slice(0, CRC_AT))) {
            return Optional.empty();
        }
        JournalTrailer trailer = new JournalTrailer(b.getLong(8), b.getInt(4), b.getInt(24), b.getLong(16));
        boolean fits = trailer.indexLength >= 0
                && trailer.indexPosition >= 0
                && trailer.indexPosition + trailer.indexLength + BYTES == objectEnd;
        return fits ? Optional.of(trailer) : Optional.empty();
    }

    private static int crcOf(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }
}
