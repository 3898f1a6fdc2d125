package io.forebay.log.cache;

import io.forebay.store.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how one reader moves through objects, so that reading ahead fits it. One per reader (a consumer's partition, a
 * merge); owned by whoever reads, one read at a time.
 *
 * <p>A step is sequential if it begins where the last one ended or a little further (other partitions' frames lie between those of
 * one partition). The window grows fourfold with each sequential step and falls back to one block with a jump.
 */
public final class ReadStream {

    private static final int GROWTH = 4;

    private @Nullable ObjectKey key;
    private long next;
    private int windowBytes;

    /** Takes note of a read and returns how much is worth loading from its beginning on, in bytes; at least one block. */
    int step(ObjectKey readKey, long position, int length, int blockBytes, int maxWindowBytes) {
        boolean sameObject = readKey.equals(key);
        long gap = position - next;
        // Another object's beginning after a sequential run is most likely the next one of the same log.
        boolean sequential = sameObject
                ? gap >= 0 && gap <= Math.max(windowBytes, blockBytes)
                : key != null && position <= blockBytes;
        int most = Math.max(maxWindowBytes, blockBytes);
        if (!sequential) {
            windowBytes = blockBytes;
        } else if (!sameObject || length > 0) {
            windowBytes = (int) Math.min(most, (long) Math.max(windowBytes, blockBytes) * GROWTH);
        }
        key = readKey;
        next = position + length;
        return windowBytes;
    }
}
