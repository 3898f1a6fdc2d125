package io.forebay.log.cache;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A sparse array of pages by index, in chunks. Any thread reads; writers hold the cache's lock.
 */
final class PageTable {

    private static final int CHUNK = 64;

    private volatile @Nullable AtomicReferenceArray<@Nullable CachedPage>[] chunks = emptyChunks(4);

    @Nullable
    CachedPage get(long index) {
        @Nullable AtomicReferenceArray<@Nullable CachedPage>[] all = chunks;
        int chunk = (int) (index / CHUNK);
        if (chunk >= all.length) {
            return null;
        }
        AtomicReferenceArray<@Nullable CachedPage> found = all[chunk];
        return found == null ? null : found.get((int) (index % CHUNK));
    }

    void set(long index, @Nullable CachedPage value) {
        int chunk = Math.toIntExact(index / CHUNK);
        @Nullable AtomicReferenceArray<@Nullable CachedPage>[] all = chunks;
        if (chunk >= all.length || all[chunk] == null) {
            @Nullable
            AtomicReferenceArray<@Nullable CachedPage>[] grown =
                    emptyChunks(Math.max(all.length, Integer.highestOneBit(chunk) * 2));
            System.arraycopy(all, 0, grown, 0, all.length);
            grown[chunk] = new AtomicReferenceArray<>(CHUNK);
            chunks = grown;
            all = grown;
        }
        AtomicReferenceArray<@Nullable CachedPage> target = all[chunk];
        if (target != null) {
            target.set((int) (index % CHUNK), value);
        }
    }

    /** Empties the place if the value is still in it. */
    void remove(long index, CachedPage value) {
        if (get(index) == value) {
            set(index, null);
        }
    }

    @SuppressWarnings("unchecked")
    private static @Nullable AtomicReferenceArray<@Nullable CachedPage>[] emptyChunks(int count) {
        return (AtomicReferenceArray<@Nullable CachedPage>[]) new AtomicReferenceArray<?>[count];
    }
}
