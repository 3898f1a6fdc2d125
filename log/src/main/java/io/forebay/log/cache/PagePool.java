package io.forebay.log.cache;

import io.forebay.model.Page;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Off-heap pages of one size with a hard limit. Memory is taken from the system when first needed and kept afterwards; the page that
 * came back last is lent first. Any thread.
 */
final class PagePool {

    private static final Logger LOG = LoggerFactory.getLogger(PagePool.class);

    private final int pageBytes;
    private final AtomicInteger made = new AtomicInteger();
    private final ConcurrentLinkedDeque<Page> free = new ConcurrentLinkedDeque<>();
    private final Runnable whenFreed;
    private volatile int maxPages;

    /**
     * @param whenFreed called on any thread after a page came back; must be quick
     */
    PagePool(int pageBytes, int maxPages, Runnable whenFreed) {
        if (pageBytes < 1 || maxPages < 1) {
            throw new IllegalArgumentException("page pool: " + maxPages + " pages of " + pageBytes + " bytes");
        }
        this.pageBytes = pageBytes;
        this.maxPages = maxPages;
        this.whenFreed = whenFreed;
    }

    int pageBytes() {
        return pageBytes;
    }

    int maxPages() {
        return maxPages;
    }

    /** Pages whose memory was taken, free or not. */
    int madePages() {
        return made.get();
    }

    /** A page with one user, or null if all are in use. Its bytes are what the last user left. */
    @Nullable
    Page take() {
        Page page = free.pollFirst();
        if (page != null) {
            page.relend();
            return page;
        }
        int count = made.get();
        while (count < maxPages) {
            if (made.compareAndSet(count, count + 1)) {
                return make();
            }
            count = made.get();
        }
        return null;
    }

    private @Nullable Page make() {
        try {
            return new Page(ByteBuffer.allocateDirect(pageBytes), this::giveBack);
        } catch (OutOfMemoryError e) {
            // The process may have less direct memory than was configured: live with what there is.
            int left = made.decrementAndGet();
            maxPages = Math.max(1, left);
            LOG.warn(
                    "page memory ends at {} pages of {} bytes: the process allows no more direct memory",
                    left,
                    pageBytes);
            return null;
        }
    }

    private void giveBack(Page page) {
        free.addFirst(page);
        whenFreed.run();
    }
}
