package io.forebay.log;

import io.forebay.log.shard.Shard;
import io.forebay.model.Loop;
import io.forebay.model.ShardId;
import java.util.concurrent.CompletableFuture;

/**
 * One session's part of the log: its journal and the shards it has opened. Made for one session and never used again after
 * it ended; the pages and the store outlive it.
 */
public final class NodeLog {

    /** Creates the first journal file. The session's number was never used before. */
    public CompletableFuture<Void> start() {
        throw new UnsupportedOperationException();
    }

    /**
     * Opens a shard under a new epoch. The caller vouches that the owner of every earlier epoch has released it or that its session is fenced (see {@link #fence}) and recorded so.
     * Completes on the shard's loop; fails if a manifest of the same or a higher epoch exists.
     */
    public CompletableFuture<Shard> open(ShardId shard, long epoch, Loop loop) {
        throw new UnsupportedOperationException();
    }

    /** Fences a session: tombstones, seals. Idempotent. Later opens read what it left from here. */
    public CompletableFuture<Void> fence(long session) {
        throw new UnsupportedOperationException();
    }

    /** Completes when the session's journal has ended, normally or not: all shards are abandoned then. */
    public CompletableFuture<io.forebay.log.journal.JournalEndedException> ended() {
        throw new UnsupportedOperationException();
    }

    /** Ends in good order: flushes, indexes the last file, puts the own tombstone. */
    public CompletableFuture<Void> close() {
        throw new UnsupportedOperationException();
    }
}
