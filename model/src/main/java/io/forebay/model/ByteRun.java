package io.forebay.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of bytes that lies in pieces of pages, or in ranges of an open file for whoever only passes them on. It holds a use of
 * each page or of the file until it is released.
 *
 * <p>Immutable after building; may be handed from one thread to another; {@link #release} exactly once.
 */
public final class ByteRun {

    public static final ByteRun EMPTY = new ByteRun(List.of(), List.of(), List.of(), 0);

    private final List<ByteBuffer> parts;
    /** Not empty: the bytes lie in a file, and there are no parts. */
    private final List<FileRange> ranges;

    private final List<Shared> uses;
    private final int sizeBytes;

    private ByteRun(List<ByteBuffer> parts, List<FileRange> ranges, List<Shared> uses, int sizeBytes) {
        this.parts = parts;
        this.ranges = ranges;
        this.uses = uses;
        this.sizeBytes = sizeBytes;
    }

    /**
     * A range of a file.
     *
     * @param file open as long as the run is not released
     * @param position of the first byte
     * @param length in bytes
     */
    public record FileRange(SharedFile file, long position, int length) {}

    /** A run over memory that needs no release. */
    public static ByteRun ofUnshared(ByteBuffer bytes) {
        ByteBuffer part = bytes.slice();
        return new ByteRun(List.of(part), List.of(), List.of(), part.remaining());
    }

    /** A run over a piece of one page. Takes over one use of the page, which the caller holds. */
    public static ByteRun ofUse(Page page, int from, int length) {
        return new ByteRun(List.of(page.slice(from, length)), List.of(), List.of(page), length);
    }

    /**
     * A run over ranges of a file, in their order. Takes over one use of the file, which the caller holds.
     *
     * @param positions of the ranges
     * @param lengths of the ranges; those that follow each other become one
     */
    public static ByteRun ofFile(SharedFile file, long[] positions, int[] lengths) {
        List<FileRange> ranges = new ArrayList<>(positions.length);
        int size = 0;
        int i = 0;
        while (i < positions.length) {
            int length = lengths[i];
            int next = i + 1;
            while (next < positions.length && positions[next] == positions[i] + length) {
                length += lengths[next];
                next++;
            }
            ranges.add(new FileRange(file, positions[i], length));
            size += length;
            i = next;
        }
        return new ByteRun(List.of(), ranges, List.of(file), size);
    }

    /** The pieces in order; each is a view with position 0. Do not change their bytes. Not for a run that lies {@link #inFile}. */
    public List<ByteBuffer> parts() {
        if (inFile()) {
            throw new IllegalStateException("these bytes lie in a file, not in memory");
        }
        return parts;
    }

    /** Whether the bytes lie in a file: then {@link #ranges} says where, and there are no {@link #parts}. */
    public boolean inFile() {
        return !ranges.isEmpty();
    }

    /** Where the bytes lie, in order; empty for a run in memory. */
    public List<FileRange> ranges() {
        return ranges;
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /**
     * A part of this run, which lies in memory, with uses of its own: both runs are to be released. It holds all pages of this run, also those it has
     * no bytes of.
     */
    public ByteRun slice(int from, int length) {
        if (from < 0 || length < 0 || from > sizeBytes - length) {
            throw new IndexOutOfBoundsException(from + " + " + length + " of " + sizeBytes);
        }
        List<ByteBuffer> cut = new ArrayList<>();
        int skip = from;
        int left = length;
        for (ByteBuffer part : parts()) {
            int take = Math.min(left, part.remaining() - skip);
            if (take > 0) {
                cut.add(part.slice(part.position() + skip, take));
                left -= take;
            }
            skip = Math.max(0, skip - part.remaining());
        }
        uses.forEach(Shared::retain);
        return new ByteRun(cut, List.of(), uses, length);
    }

    /**
     * Copies everything into one fresh heap buffer. For the control path and tests: of a file it reads, and blocks.
     *
     * @throws UncheckedIOException if a file cannot be read
     */
    public ByteBuffer copy() {
        ByteBuffer all = ByteBuffer.allocate(sizeBytes);
        for (ByteBuffer part : parts) {
            all.put(part.duplicate());
        }
        for (FileRange range : ranges) {
            read(range, all);
        }
        return all.flip();
    }

    private static void read(FileRange range, ByteBuffer into) {
        int end = into.position() + range.length();
        long from = range.position() - into.position();
        try {
            while (into.position() < end) {
                int read = range.file().channel().read(into.limit(end), from + into.position());
                if (read < 0) {
                    throw new IOException("the file ends before bytes that were read before");
                }
            }
            into.limit(into.capacity());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Another run over the same bytes, with uses and a release of its own. The caller must not have released this one. */
    public ByteRun share() {
        uses.forEach(Shared::retain);
        return uses.isEmpty() ? this : new ByteRun(parts, ranges, uses, sizeBytes);
    }

    /** Ends all uses. The pieces must not be touched afterwards. */
    public void release() {
        for (Shared use : uses) {
            use.release();
        }
    }

    /** Gathers pieces in memory. Owned by one thread. */
    public static final class Builder {
        private final List<ByteBuffer> parts = new ArrayList<>();
        private final List<Shared> uses = new ArrayList<>();
        private int sizeBytes;

        /** Adds a piece of a page and a use of the page. */
        public void add(Page page, int from, int length) {
            page.retain();
            uses.add(page);
            parts.add(page.slice(from, length));
            sizeBytes += length;
        }

        /** Adds all pieces of another run and takes over its uses: the other run must not be released any more. */
        public void take(ByteRun run) {
            parts.addAll(run.parts());
            uses.addAll(run.uses);
            sizeBytes += run.sizeBytes;
        }

        public int sizeBytes() {
            return sizeBytes;
        }

        public ByteRun build() {
            return sizeBytes == 0 && uses.isEmpty() ? EMPTY : new ByteRun(parts, List.of(), uses, sizeBytes);
        }
    }
}
