package io.forebay.log;

import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.DamageListener;
import io.forebay.log.journal.Maker;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What a node's log works with. All of it outlives the session.
 *
 * @param home the loop that decides what is opened, flushed, merged and deleted; never blocks
 * @param journals one loop for each lane; these block on the store
 * @param random used on {@code home} only
 * @param merge runs what costs time: reading of ended journals, writing and merging of segments
 * @param maker the incarnation of this process
 * @param damage told of acknowledged bytes that cannot be read any more, on any thread
 */
public record LogPorts(
        Store store,
        PageCache cache,
        Loop home,
        List<Loop> journals,
        Clock clock,
        RandomGenerator random,
        Executor merge,
        Maker maker,
        DamageListener damage) {

    public LogPorts {
        journals = List.copyOf(journals);
    }
}
