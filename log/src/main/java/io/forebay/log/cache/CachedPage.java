package io.forebay.log.cache;

import io.forebay.model.Page;
import io.forebay.store.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A page that holds bytes of one object from {@code start} on. Holds one use of the page until it is dropped.
 *
 * <p>{@code filled} only grows. Readers take a use first and then look at {@code dropped}: whoever drops sets it before ending the
 * use, so a page that was lent anew in between is noticed.
 */
final class CachedPage {

    final ObjectKey key;
    final Page page;
    /** Position in the object of the page's first byte. */
    final long start;
    /** How many bytes from the start may be read. */
    volatile int filled;

    /** The request that fills it, while that runs. Guarded by the cache's lock. */
    PageCache.@Nullable Load load;

    volatile boolean dropped;
    /** Used since the hand of the clock passed last. */
    volatile boolean touched;

    CachedPage(ObjectKey key, Page page, long start) {
        this.key = key;
        this.page = page;
        this.start = start;
    }

    /** How many bytes can be read from this position of the object on; 0 or less: none. */
    long readableFrom(long position) {
        return position < start ? 0 : start + filled - position;
    }

    /** Takes a use of the page unless it was dropped. */
    boolean tryUse() {
        if (!page.tryRetain()) {
            return false;
        }
        if (dropped) {
            page.release();
            return false;
        }
        return true;
    }
}
