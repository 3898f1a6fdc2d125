package io.forebay.log.shard;

import io.forebay.log.journal.SessionIndex;
import io.forebay.log.manifest.JournalRange;
import java.util.concurrent.CompletableFuture;

/**
 * What earlier epochs of shards have left in journals: those of sessions that have ended, and those of sessions that live on and have released a shard. Any
 * thread.
 */
public interface PastFrames {

    /** Whether nobody can acknowledge anything for the session any more: it is fenced, and whoever decides that has recorded it. Completes on any thread. */
    CompletableFuture<Boolean> hasEnded(long session);

    /**
     * All frames of a range, and maybe others. Completes on any thread.
     *
     * @param range has an end, or its session has one
     */
    CompletableFuture<SessionIndex> index(JournalRange range);
}
