package io.forebay.log.journal;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.concurrent.CompletableFuture;

/** Ends sessions of the past. Owned by the loop it is given. */
public final class JournalFence {

    public JournalFence(Store store, Loop loop, Clock clock, Maker maker, FenceConfig config) {}

    /**
     * Makes sure that the session can acknowledge nothing more, and finds out exactly what it did acknowledge. Idempotent:
     * every caller, now or later, finds the same ends.
     *
     * @param prefix as in {@link JournalPath}
     * @param lanes how many lanes the session was given, at least 1
     * @return completes on the loop; fails with a StoreException when the store does not answer, then repeat it
     */
    public CompletableFuture<FencedJournal> fence(String prefix, long session, int lanes) {
        throw new UnsupportedOperationException();
    }
}
