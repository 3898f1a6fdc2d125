package io.forebay.log.cache;

import io.forebay.model.ByteRun;
import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Pages of objects in memory. Any thread. */
public final class PageCache {

    public PageCache(Store store, CacheConfig config) {}

    /** The bytes if all of them are in memory, else null. The caller releases the run. */
    public @Nullable ByteRun tryRead(ObjectKey key, long position, int length) {
        throw new UnsupportedOperationException();
    }

    /**
     * The bytes, from memory or the store, reading ahead as the stream's past suggests. Verifies nothing. Completes on a thread
     * of the store (or the caller's); fails with a StoreException: NOT_FOUND (reload the manifest), CORRUPT if the object ends
     * before, UNAVAILABLE (also when all memory for cold reads is in use: try again later). The caller releases the run.
     *
     * @param knownEnd nothing behind it is read: the object's recorded or durable end
     */
    public CompletableFuture<ByteRun> read(ObjectKey key, long position, int length, ReadStream stream, long knownEnd) {
        throw new UnsupportedOperationException();
    }

    /** Forgets all pages of an object, e.g. because it is being deleted. Runs already given out stay valid. */
    public void drop(ObjectKey key) {
        throw new UnsupportedOperationException();
    }
}
