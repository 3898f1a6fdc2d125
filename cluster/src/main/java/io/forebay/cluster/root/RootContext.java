package io.forebay.cluster.root;

import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.JournalConfig;
import io.forebay.log.journal.Maker;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What the root lives on.
 *
 * @param loop owns the root's state
 * @param journalLoop writes the root's journal; may block
 * @param executor parses what was read
 * @param maker this process
 * @param address of this node's control port, host:port; empty if it has none
 * @param userShards how many there are in a new cluster
 */
public record RootContext(
        Store store,
        Loop loop,
        Loop journalLoop,
        Executor executor,
        Clock clock,
        RandomGenerator random,
        PageCache cache,
        JournalConfig journal,
        Maker maker,
        int nodeId,
        String address,
        int userShards,
        int internalShards) {}
