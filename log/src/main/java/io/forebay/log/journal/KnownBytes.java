package io.forebay.log.journal;

import java.nio.ByteBuffer;

/**
 * Pieces of one file that were read ahead: all of a small one, or its header and its last bytes, where its index lies. Not thread-safe: steps that use it
 * follow one another.
 */
final class KnownBytes {

    /** Up to this size a file is read whole: the rest of it takes less time than another request. */
    static final int WHOLE_BYTES = 256 << 10;

    /** Holds the index of nearly all files that are put whole: some 900 frames. */
    static final int TAIL_BYTES = 64 << 10;

    private final ByteBuffer first;
    private final int tailAt;
    private final ByteBuffer tail;

    /**
     * Keeps what was read.
     *
     * @param first the beginning of the file, in the buffer from 0 to its limit
     * @param tailAt position in the file of the first byte of {@code tail}, which begins at 0 in its buffer as well
     */
    KnownBytes(ByteBuffer first, int tailAt, ByteBuffer tail) {
        this.first = first;
        this.tailAt = tailAt;
        this.tail = tail;
    }

    static KnownBytes nothing() {
        return new KnownBytes(ByteBuffer.allocate(0), 0, ByteBuffer.allocate(0));
    }

    /** Puts what is known from a position of the file on into a buffer; returns how many bytes that are, maybe 0. */
    int copy(int from, ByteBuffer into) {
        int copied = copy(first, from, into);
        return copied > 0 ? copied : copy(tail, from - tailAt, into);
    }

    private static int copy(ByteBuffer piece, int from, ByteBuffer into) {
        if (from < 0 || from >= piece.limit()) {
            return 0;
        }
        int length = Math.min(piece.limit() - from, into.remaining());
        into.put(piece.slice(from, length));
        return length;
    }
}
