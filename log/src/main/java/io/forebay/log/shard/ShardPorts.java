package io.forebay.log.shard;

import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.DamageListener;
import io.forebay.log.journal.Journal;
import io.forebay.log.journal.Maker;
import io.forebay.log.segment.SegmentIndexes;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.concurrent.Executor;

/**
 * What one shard works with.
 *
 * @param loop owns the shard
 * @param session that owns the shard, whose journal is {@code journal}
 * @param uniqueSalt makes this shard's object names unlike those of any other opening
 * @param merge runs what costs time: writing and merging of segments
 * @param damage told of acknowledged bytes that cannot be read any more
 * @param mergeRate shared by all shards of the node
 * @param advances shared by all shards of the loop
 * @param indexes shared by all shards of the loop
 */
public record ShardPorts(
        Store store,
        PageCache cache,
        Journal journal,
        Loop loop,
        Clock clock,
        Executor merge,
        long session,
        Maker maker,
        long uniqueSalt,
        DamageListener damage,
        RateLimit mergeRate,
        AdvanceQueue advances,
        SegmentIndexes indexes,
        ShardConfig config) {}
