package io.forebay.log.cache;

import io.forebay.model.ByteRun;
import io.forebay.model.Page;
import io.forebay.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages for ranges of an object that are read at once and belong to nobody else: large ones for many bytes, a small one for each of a few. Owned by whoever makes it
 * until it is read.
 */
final class Scatter {

    /** Where pages come from. */
    interface Source {
        /** A page, or null if there is none. */
        @Nullable
        Page take(boolean small);
    }

    private final CacheConfig config;
    private final long[] positions;
    private final int[] lengths;
    private final @Nullable Page[] pages;
    private final int[] starts;
    private final int bytes;

    Scatter(CacheConfig config, long[] positions, int[] lengths) {
        this.config = config;
        this.positions = positions;
        this.lengths = lengths;
        this.pages = new @Nullable Page[lengths.length];
        this.starts = new int[lengths.length];
        this.bytes = Arrays.stream(lengths).sum();
    }

    int sizeBytes() {
        return bytes;
    }

    /** False if there is no memory; then some may have been taken, and {@link #letGo} gives them back. */
    boolean takePages(Source source) {
        Page current = null;
        int used = 0;
        int left = bytes;
        for (int i = 0; i < lengths.length; i++) {
            if (current == null || used + lengths[i] > current.sizeBytes()) {
                current = take(source, lengths[i], left);
                if (current == null) {
                    return false;
                }
                used = 0;
            } else {
                current.retain();
            }
            pages[i] = current;
            starts[i] = used;
            used += lengths[i];
            left -= lengths[i];
        }
        return true;
    }

    private @Nullable Page take(Source source, int length, int left) {
        boolean fitsSmall = length <= config.blockBytes();
        if (fitsSmall && left <= config.pageBytes() / 2) {
            Page small = source.take(true);
            return small != null ? small : source.take(false);
        }
        Page large = source.take(false);
        return large != null || !fitsSmall ? large : source.take(true);
    }

    List<Store.Piece> pieces() {
        List<Store.Piece> pieces = new ArrayList<>(pages.length);
        for (int i = 0; i < pages.length; i++) {
            pieces.add(new Store.Piece(positions[i], page(i).slice(starts[i], lengths[i])));
        }
        return pieces;
    }

    /** Where the first byte lies that was not read, if only so many were. */
    long behind(int read) {
        int left = read;
        int i = 0;
        while (left >= lengths[i]) {
            left -= lengths[i];
            i++;
        }
        return positions[i] + left;
    }

    /** Whether the byte before {@link #behind} was read. */
    boolean isInside(int read) {
        return read > 0 && behind(read - 1) + 1 == behind(read);
    }

    /** The bytes, once they were read; it has uses of its own. */
    ByteRun run() {
        ByteRun.Builder run = new ByteRun.Builder();
        for (int i = 0; i < pages.length; i++) {
            run.add(page(i), starts[i], lengths[i]);
        }
        return run.build();
    }

    private Page page(int i) {
        Page page = pages[i];
        if (page == null) {
            throw new IllegalStateException("not all pages were taken");
        }
        return page;
    }

    void letGo() {
        for (Page page : pages) {
            if (page != null) {
                page.release();
            }
        }
    }
}
