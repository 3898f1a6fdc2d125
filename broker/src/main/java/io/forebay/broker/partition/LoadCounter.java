package io.forebay.broker.partition;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a shard's partitions had to do since it was opened, as one number: bytes in + bytes out / 2 + requests × 1 KiB. It only grows.
 *
 * <p>Counted once for each batch and each answer, never for a record. A fetch that brings nothing counts nothing, so that consumers who wait
 * are no load. Any thread.
 */
public final class LoadCounter {

    private static final int REQUEST_BYTES = 1024;

    private final AtomicLong total = new AtomicLong();

    /** A batch of this size was appended. */
    void appended(int sizeBytes) {
        total.addAndGet(REQUEST_BYTES + (long) sizeBytes);
    }

    /** Records of this size were sent to a reader. */
    void fetched(int sizeBytes) {
        total.addAndGet(REQUEST_BYTES + sizeBytes / 2L);
    }

    /** Weighted bytes so far. */
    public long total() {
        return total.get();
    }
}
