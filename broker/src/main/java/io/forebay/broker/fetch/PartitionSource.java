package io.forebay.broker.fetch;

import io.forebay.model.Loop;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A partition as a fetch sees it. All methods run on its loop, unless they say otherwise; futures complete there. */
public interface PartitionSource {

    Loop loop();

    /** Where readers see the end now. */
    long highWatermark();

    /**
     * Reads without waiting, if what is asked for lies in memory, or in a file that needs no check, or is known to be nothing.
     *
     * @param maxMemoryBytes at most this much of it in memory
     * @return null if the store must be asked: use {@link #read}
     */
    @Nullable
    FetchedPartition readCached(
            PartitionFetch fetch, boolean readCommitted, int maxBytes, int maxMemoryBytes, boolean minOneBatch);

    /** The same, asking the store. */
    CompletableFuture<FetchedPartition> read(
            PartitionFetch fetch, boolean readCommitted, int maxBytes, boolean minOneBatch);

    /** Notes that so many bytes of its records, more than none, go out in an answer. Any thread. */
    void answered(int sizeBytes);

    /** The waiter is called each time there may be more to read, or an error to tell, until it is removed. */
    void addWaiter(Waiter waiter);

    void removeWaiter(Waiter waiter);

    /** Waits at a partition. Called on the partition's loop. */
    interface Waiter {
        void advanced();
    }
}
