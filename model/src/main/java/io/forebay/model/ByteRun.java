package io.forebay.model;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of bytes that lies in one or more pieces of pages, and holds a use of each page until it is released. Of a piece it may be
 * known that the same bytes lie in an open file: whoever only passes them on can leave that to the kernel.
 *
 * <p>Immutable after building; may be handed from one thread to another; {@link #release} exactly once.
 */
public final class ByteRun {

    public static final ByteRun EMPTY = new ByteRun(List.of(), List.of(), List.of(), 0);

    private final List<ByteBuffer> parts;
    /** One for each part, or empty if none is known to lie in a file. */
    private final List<@Nullable Origin> origins;

    private final List<Shared> uses;
    private final int sizeBytes;

    private ByteRun(List<ByteBuffer> parts, List<@Nullable Origin> origins, List<Shared> uses, int sizeBytes) {
        this.parts = parts;
        this.origins = origins;
        this.uses = uses;
        this.sizeBytes = sizeBytes;
    }

    /**
     * Where a piece lies besides memory.
     *
     * @param file open as long as the run is not released
     * @param position of the piece's first byte
     */
    public record Origin(SharedFile file, long position) {}

    /** A run over memory that needs no release. */
    public static ByteRun ofUnshared(ByteBuffer bytes) {
        ByteBuffer part = bytes.slice();
        return new ByteRun(List.of(part), List.of(), List.of(), part.remaining());
    }

    /** A run over a piece of one page. Takes over one use of the page, which the caller holds. */
    public static ByteRun ofUse(Page page, int from, int length) {
        return new ByteRun(List.of(page.slice(from, length)), List.of(), List.of(page), length);
    }

    /** The pieces in order; each is a view with position 0. Do not change their bytes. */
    public List<ByteBuffer> parts() {
        return parts;
    }

    /** Where piece {@code i} lies in a file, or null if that isn't known. */
    public @Nullable Origin origin(int i) {
        return origins.isEmpty() ? null : origins.get(i);
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /**
     * The same run, of which it is known that it lies in one piece in a file. Takes over the uses of this run, which must not be released
     * any more, and the caller's use of the file.
     */
    public ByteRun lyingIn(SharedFile file, long position) {
        List<@Nullable Origin> known = new ArrayList<>(parts.size());
        long at = position;
        for (ByteBuffer part : parts) {
            known.add(new Origin(file, at));
            at += part.remaining();
        }
        List<Shared> all = new ArrayList<>(uses);
        all.add(file);
        return new ByteRun(parts, known, all, sizeBytes);
    }

    /**
     * A part of this run with uses of its own: both runs are to be released. It holds all that this run holds, also pages it has
     * no bytes of.
     */
    public ByteRun slice(int from, int length) {
        if (from < 0 || length < 0 || from > sizeBytes - length) {
            throw new IndexOutOfBoundsException(from + " + " + length + " of " + sizeBytes);
        }
        List<ByteBuffer> cut = new ArrayList<>();
        List<@Nullable Origin> cutOrigins = new ArrayList<>();
        int skip = from;
        int left = length;
        for (int i = 0; i < parts.size(); i++) {
            ByteBuffer part = parts.get(i);
            int take = Math.min(left, part.remaining() - skip);
            if (take > 0) {
                cut.add(part.slice(part.position() + skip, take));
                Origin origin = origin(i);
                cutOrigins.add(origin == null ? null : new Origin(origin.file(), origin.position() + skip));
                left -= take;
            }
            skip = Math.max(0, skip - part.remaining());
        }
        uses.forEach(Shared::retain);
        return new ByteRun(cut, origins.isEmpty() ? List.of() : cutOrigins, uses, length);
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
        uses.forEach(Shared::retain);
        return uses.isEmpty() ? this : new ByteRun(parts, origins, uses, sizeBytes);
    }

    /** Ends all uses. The pieces must not be touched afterwards. */
    public void release() {
        for (Shared use : uses) {
            use.release();
        }
    }

    /** Gathers pieces. Owned by one thread. */
    public static final class Builder {
        private final List<ByteBuffer> parts = new ArrayList<>();
        private final List<Shared> uses = new ArrayList<>();
        private List<@Nullable Origin> origins = List.of();
        private int sizeBytes;

        /** Adds a piece of a page and a use of the page. */
        public void add(Page page, int from, int length) {
            add(page, from, length, null);
        }

        /** Adds a piece of a page and a use of the page. The file, if one is known, must be held as well. */
        public void add(Page page, int from, int length, @Nullable Origin origin) {
            if (origin != null && origins.isEmpty()) {
                origins = new ArrayList<>(Collections.nCopies(parts.size(), null));
            }
            boolean known = origin != null || !origins.isEmpty();
            page.retain();
            uses.add(page);
            parts.add(page.slice(from, length));
            if (known) {
                origins.add(origin);
            }
            sizeBytes += length;
        }

        /** Takes over one use that the caller holds: it ends with the run. */
        public void hold(Shared use) {
            uses.add(use);
        }

        /** Adds all pieces of another run and takes over its uses: the other run must not be released any more. */
        public void take(ByteRun run) {
            if (origins.isEmpty() && !run.origins.isEmpty()) {
                origins = new ArrayList<>(Collections.nCopies(parts.size(), null));
            }
            if (!run.origins.isEmpty()) {
                origins.addAll(run.origins);
            } else if (!origins.isEmpty()) {
                origins.addAll(Collections.nCopies(run.parts.size(), null));
            }
            parts.addAll(run.parts);
            uses.addAll(run.uses);
            sizeBytes += run.sizeBytes;
        }

        public int sizeBytes() {
            return sizeBytes;
        }

        public ByteRun build() {
            return sizeBytes == 0 && uses.isEmpty() ? EMPTY : new ByteRun(parts, origins, uses, sizeBytes);
        }
    }
}
