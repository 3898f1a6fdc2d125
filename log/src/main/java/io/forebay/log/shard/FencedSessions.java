package io.forebay.log.shard;

import io.forebay.log.journal.SessionIndex;
import java.util.concurrent.CompletableFuture;

/** What sessions of the past have left in their journals. Any thread. */
public interface FencedSessions {

    /** All frames of a session. Fails if nobody has fenced it here: then its owner may still be alive. Completes on any thread. */
    CompletableFuture<SessionIndex> index(long session);
}
