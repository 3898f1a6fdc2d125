package io.forebay.log.journal;

import io.forebay.log.cache.PageCache;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;

/**
 * What a lane is given.
 *
 * @param loop the journal loop
 * @param maker the incarnation id of this process
 */
record LanePorts(
        JournalPath path,
        Maker maker,
        Store store,
        Loop loop,
        Clock clock,
        PageCache cache,
        FrameCodec codec,
        JournalConfig config) {

    LanePorts(
            JournalPath path, Maker maker, Store store, Loop loop, Clock clock, PageCache cache, JournalConfig config) {
        this(path, maker, store, loop, clock, cache, new FrameCodec(), config);
    }
}
