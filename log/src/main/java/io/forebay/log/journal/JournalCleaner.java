package io.forebay.log.journal;

import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Deletes journal files that nobody needs, lowest first, each confirmed before the next. Owned by the loop it is given. */
public final class JournalCleaner {

    /** Decides from manifests read from the store. */
    public interface Need {
        /** Whether any of these shards' current manifests still needs the file. */
        CompletableFuture<Boolean> needed(JournalPath path, ClosedFile file);
    }

    public JournalCleaner(Store store, Loop loop, Need need) {}

    /**
     * Deletes from the lowest file on until one is needed. Never the highest number of the lane.
     *
     * @param files the lane's files that take no more frames, in order, from the lowest that exists
     * @param highest the highest number that exists in the lane
     * @return the number of files deleted; completes on the loop
     */
    public CompletableFuture<Integer> clean(JournalPath path, List<ClosedFile> files, long highest) {
        throw new UnsupportedOperationException();
    }
}
