package io.forebay.log.journal;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a journal object (docs/formats/journal.md).
 *
 * <p>What a data file's header states about the files before it, it states for ever: {@code previousEnd} is the acknowledged end
 * of file {@code number - 1 - skipped}, and the {@code skipped} files between are dead as a whole. A file that was put whole says other things in their
 * places: {@link #acknowledged} and {@link #length}.
 *
 * @param number of this file
 * @param previousEnd in bytes; {@link #NO_PREVIOUS} if there is no earlier file that counts, and in tombstones
 * @param skipped how many files directly before this one hold nothing that was acknowledged
 * @param maker who made the object
 * @param createdMs wall clock, for people
 */
public record JournalHeader(
        Kind kind, int lane, long session, long number, long previousEnd, int skipped, Maker maker, long createdMs) {

    public static final int BYTES = 64;
    public static final long NO_PREVIOUS = -1;

    private static final short MAGIC = (short) ('F' << 8 | 'J');
    private static final byte VERSION = 1;
    private static final int CRC_AT = 60;

    /** What the object is. */
    public enum Kind {
        /** A data file that is appended to, or was put whole by an early build. */
        DATA((byte) 1),
        TOMBSTONE((byte) 2),
        /** A data file that was put whole, while others below it were on their way. */
        WHOLE((byte) 3);

        private final byte code;

        Kind(byte code) {
            this.code = code;
        }
    }

    public JournalHeader {
        boolean measured = kind == Kind.WHOLE
                ? previousEnd < number && previousEnd >= number - JournalConfig.MAX_PUTS && skipped >= BYTES
                : skipped >= 0 && skipped <= number;
        if (lane < 0 || session < 0 || number < 0 || previousEnd < NO_PREVIOUS || !measured) {
            throw new IllegalArgumentException("journal header: lane " + lane + ", session " + session + ", number "
                    + number + ", previous end " + previousEnd + ", skipped " + skipped);
        }
        if (kind == Kind.TOMBSTONE && (previousEnd != NO_PREVIOUS || skipped != 0)) {
            throw new IllegalArgumentException("a tombstone states no end of an earlier file");
        }
    }

    public static JournalHeader tombstone(JournalPath path, long number, Maker maker, long createdMs) {
        return new JournalHeader(Kind.TOMBSTONE, path.lane(), path.session(), number, NO_PREVIOUS, 0, maker, createdMs);
    }

    /**
     * The header of a file that is put whole.
     *
     * @param acknowledged the highest number below which, itself included, everything is acknowledged; −1: nothing
     * @param length of the whole file in bytes
     */
    public static JournalHeader whole(
            JournalPath path, long number, long acknowledged, int length, Maker maker, long createdMs) {
        return new JournalHeader(
                Kind.WHOLE, path.lane(), path.session(), number, acknowledged, length, maker, createdMs);
    }

    /**
     * The number up to which, itself included, the writer had acknowledged everything when it made this file.
     *
     * @throws IllegalStateException if it was not put whole
     */
    public long acknowledged() {
        requireWhole();
        return previousEnd;
    }

    /**
     * How long this file is, in bytes.
     *
     * @throws IllegalStateException if it was not put whole
     */
    public int length() {
        requireWhole();
        return skipped;
    }

    private void requireWhole() {
        if (kind != Kind.WHOLE) {
            throw new IllegalStateException("only a file that was put whole says so: " + kind);
        }
    }

    /** The number up to which, itself included, everything was once written, as this object shows; −1: it shows nothing. */
    public long written() {
        return kind == Kind.WHOLE ? acknowledged() : number - 1;
    }

    /** The 64 bytes, position 0. */
    public ByteBuffer encode() {
        ByteBuffer b = ByteBuffer.allocate(BYTES);
        b.putShort(MAGIC).put(VERSION).put(kind.code).putInt(lane).putLong(session);
        b.putLong(number).putLong(previousEnd).putLong(maker.high()).putLong(maker.low());
        b.putLong(createdMs).putInt(skipped);
        b.putInt(crc(b));
        return b.flip();
    }

    /**
     * Reads a header from a buffer's position, which does not move.
     *
     * @return empty if there is no whole and valid header of exactly this object
     */
    public static Optional<JournalHeader> decode(ByteBuffer bytes, JournalPath path, long number) {
        if (bytes.remaining() < BYTES) {
            return Optional.empty();
        }
        ByteBuffer b = ByteBuffer.allocate(BYTES);
        b.put(0, bytes, bytes.position(), BYTES);
        if (b.getShort(0) != MAGIC || b.get(2) != VERSION || b.getInt(CRC_AT) != crc(b)) {
            return Optional.empty();
        }
        if (b.getInt(4) != path.lane() || b.getLong(8) != path.session() || b.getLong(16) != number) {
            return Optional.empty();
        }
        for (Kind kind : Kind.values()) {
            if (kind.code == b.get(3)) {
                return Optional.of(new JournalHeader(
                        kind,
                        path.lane(),
                        path.session(),
                        number,
                        b.getLong(24),
                        b.getInt(56),
                        new Maker(b.getLong(32), b.getLong(40)),
                        b.getLong(48)));
            }
        }
        return Optional.empty();
    }

    /**
     * What this header, the first one behind a file, states about that file's end.
     *
     * @return 0 if nothing of the file was acknowledged; empty if it says nothing
     */
    Optional<Integer> endOf(long earlier) {
        long counted = number - 1 - skipped;
        if (kind != Kind.DATA || earlier < counted) {
            return Optional.empty();
        }
        return earlier == counted
                ? Optional.of(previousEnd).filter(end -> end != NO_PREVIOUS).map(Math::toIntExact)
                : Optional.of(0);
    }

    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, CRC_AT));
        return (int) crc.getValue();
    }
}
