package io.forebay.model;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of bytes that lies in one or more pieces of pages, and holds a use of each page until it is released.
 *
 * <p>Immutable after building; may be handed from one thread to another; {@link #release} exactly once.
 */
public final class ByteRun {

    public static final ByteRun EMPTY = new ByteRun(List.of(), List.of(), 0);

    private final List<ByteBuffer> parts;
    private final List<Page> pages;
    private final int sizeBytes;

    private ByteRun(List<ByteBuffer> parts, List<Page> pages, int sizeBytes) {
        this.parts = parts;
        this.pages = pages;
        this.sizeBytes = sizeBytes;
    }

    /** A run over memory that needs no release. */
    public static ByteRun ofUnshared(ByteBuffer bytes) {
        ByteBuffer part = bytes.slice();
        return new ByteRun(List.of(part), List.of(), part.remaining());
    }

    /** A run over a piece of one page. Takes over one use of the page, which the caller holds. */
    public static ByteRun ofUse(Page page, int from, int length) {
        return new ByteRun(List.of(page.slice(from, length)), List.of(page), length);
    }

    /** The pieces in order; each is a view with position 0. Do not change their bytes. */
    public List<ByteBuffer> parts() {
        return parts;
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /**
     * A part of this run with uses of its own: both runs are to be released. It holds all pages of this run, also those it has
     * no bytes of.
     */
    public ByteRun slice(int from, int length) {
        if (from < 0 || length < 0 || from > sizeBytes - length) {
            throw new IndexOutOfBoundsException(from + " + " + length + " of " + sizeBytes);
        }
        List<ByteBuffer> cut = new ArrayList<>();
        int skip = from;
        int left = length;
        for (ByteBuffer part : parts) {
            int take = Math.min(left, part.remaining() - skip);
            if (take > 0) {
                cut.add(part.slice(part.position() + skip, take));
                left -= take;
            }
            skip = Math.max(0, skip - part.remaining());
        }
        pages.forEach(Page::retain);
        return new ByteRun(cut, pages, length);
    }

    /** Copies everything into one fresh heap buffer. For the control path and tests. */
    public ByteBuffer copy() {
        ByteBuffer all = ByteBuffer.allocate(sizeBytes);
        for (ByteBuffer part : parts) {
            all.put(part.duplicate());
        }
        return all.flip();
    }

    /** Another run over the same bytes, with uses and a release of its own. The caller must not have released this one. */
    public ByteRun share() {
        for (Page page : pages) {
            page.retain();
        }
        return pages.isEmpty() ? this : new ByteRun(parts, pages, sizeBytes);
    }

    /** Ends the use of all pages. The pieces must not be touched afterwards. */
    public void release() {
        for (Page page : pages) {
            page.release();
        }
    }

    /** Gathers pieces. Owned by one thread. */
    public static final class Builder {
        private final List<ByteBuffer> parts = new ArrayList<>();
        private final List<Page> pages = new ArrayList<>();
        private int sizeBytes;

        /** Adds a piece of a page and a use of the page. */
        public void add(Page page, int from, int length) {
            page.retain();
            pages.add(page);
            parts.add(page.slice(from, length));
            sizeBytes += length;
        }

        /** Adds all pieces of another run and takes over its uses: the other run must not be released any more. */
        public void take(ByteRun run) {
            parts.addAll(run.parts);
            pages.addAll(run.pages);
            sizeBytes += run.sizeBytes;
        }

        public int sizeBytes() {
            return sizeBytes;
        }

        public ByteRun build() {
            return sizeBytes == 0 && pages.isEmpty() ? EMPTY : new ByteRun(parts, pages, sizeBytes);
        }
    }
}
