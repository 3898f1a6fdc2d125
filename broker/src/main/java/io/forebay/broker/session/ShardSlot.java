package io.forebay.broker.session;

import io.forebay.broker.partition.LoadCounter;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.log.shard.Shard;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A shard that a session opens, or has opened, under one epoch. Owned by the control loop but for what is marked. */
final class ShardSlot {

    /** What a shard should serve. */
    record Wanted(TopicImage topic, PartitionImage partition) {}

    final long epoch;
    final CompletableFuture<Shard> opened = new CompletableFuture<>();
    final Map<Long, Wanted> wanted = new HashMap<>();
    final Set<Long> deleted = new HashSet<>();
    /** Counts on any thread. */
    final LoadCounter load = new LoadCounter();

    private final LoadMean loadMean;
    boolean open;
    boolean releasing;

    /** Nothing of it is served any more. Set on the control loop, read on the shard's. */
    volatile boolean over;

    ShardSlot(long epoch, long nowNanos) {
        this.epoch = epoch;
        this.loadMean = new LoadMean(nowNanos);
    }

    /** Weighted bytes each second, lately. */
    long load(long nowNanos) {
        return loadMean.measure(load.total(), nowNanos);
    }
}
