package io.forebay.log.cache;

import io.forebay.model.ByteRun;
import io.forebay.model.Page;
import io.forebay.store.ObjectKey;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes one object's bytes into tail pages, from position 0 on. Owned by one thread (the journal loop).
 *
 * <p>Bytes go through three states: written (only the writer knows them), taken ({@link #takeWritten}: on their way to the store),
 * published ({@link #publish}: durable, readers find them). The writer holds a use of every page from the first byte not yet taken
 * on, so those are never evicted.
 */
public final class TailWriter {

    private final PageCache cache;
    private final ObjectKey key;
    private final int pageBytes;

    /** Pages from the one that holds {@code takenEnd} on, each with a use of ours. */
    private final List<CachedPage> held = new ArrayList<>();
    /** Pages with bytes that are not published. */
    private final ArrayDeque<CachedPage> unpublished = new ArrayDeque<>();

    private long position;
    private long takenEnd;

    TailWriter(PageCache cache, ObjectKey key, int pageBytes) {
        this.cache = cache;
        this.key = key;
        this.pageBytes = pageBytes;
    }

    /** Where the next byte goes. */
    public long position() {
        return position;
    }

    /** Makes sure that this many bytes can be written; false if there is no memory for all of them now. Then try again when a page came back. */
    public boolean reserve(int bytes) {
        long heldFrom = takenEnd / pageBytes * pageBytes;
        long heldTo = heldFrom + (long) held.size() * pageBytes;
        long missing = position + bytes - heldTo;
        if (missing <= 0) {
            return true;
        }
        List<Page> pages = cache.takeTail(Math.toIntExact((missing + pageBytes - 1) / pageBytes));
        for (Page page : pages) {
            page.retain();
            CachedPage cached = cache.addTail(key, page, heldTo);
            held.add(cached);
            unpublished.addLast(cached);
            heldTo += pageBytes;
        }
        return !pages.isEmpty();
    }

    /** Copies what remains in the buffer, whose position moves. It must have been reserved. */
    public void write(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            CachedPage target = held.get((int) (position / pageBytes - takenEnd / pageBytes));
            int within = (int) (position - target.start);
            int here = Math.min(bytes.remaining(), pageBytes - within);
            ByteBuffer view = target.page.slice(within, here);
            int limit = bytes.limit();
            view.put(bytes.limit(bytes.position() + here));
            bytes.limit(limit);
            position += here;
        }
    }

    /** Everything written since the last call. The caller releases it when the store is done with it. */
    public ByteRun takeWritten() {
        ByteRun.Builder run = new ByteRun.Builder();
        while (takenEnd < position) {
            CachedPage first = held.get(0);
            int within = (int) (takenEnd - first.start);
            int here = (int) Math.min(position - takenEnd, pageBytes - within);
            run.add(first.page, within, here);
            takenEnd += here;
            if (within + here == pageBytes) {
                first.page.release();
                held.remove(0);
            }
        }
        return run.build();
    }

    /** Everything before this position is durable: readers may have it. */
    public void publish(long end) {
        for (CachedPage first = unpublished.peekFirst(); first != null; first = unpublished.peekFirst()) {
            int filled = (int) Math.min(pageBytes, end - first.start);
            if (filled <= 0) {
                return;
            }
            first.filled = filled;
            if (filled < pageBytes) {
                return;
            }
            unpublished.removeFirst();
        }
    }

    /** Nothing more will be written. What was published stays; pages that hold nothing published are forgotten. */
    public void close() {
        for (CachedPage page : held) {
            page.page.release();
        }
        held.clear();
        for (CachedPage page : unpublished) {
            if (page.filled == 0) {
                cache.dropTail(page);
            }
        }
        unpublished.clear();
    }
}
