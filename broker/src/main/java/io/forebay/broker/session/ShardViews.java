package io.forebay.broker.session;

import io.forebay.broker.fetch.PartitionSource;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.log.NodeLog;
import io.forebay.log.shard.ShardView;
import io.forebay.model.Loop;
import io.forebay.model.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Views of the shards that others own, made when somebody reads from them. Any thread. */
final class ShardViews {

    private final NodeLog log;
    private final List<Loop> loops;
    private final Map<ShardId, CompletableFuture<ShardView>> views = new ConcurrentHashMap<>();

    ShardViews(NodeLog log, List<Loop> loops) {
        this.log = log;
        this.loops = loops;
    }

    /** A partition as it can be read from the store; empty if this session owns it, or nobody does. */
    Optional<PartitionSource> find(ClusterImage image, PartitionImage partition) {
        ShardId id = partition.shard();
        ShardImage shard = image.shard(id);
        if (shard == null || shard.ownerSession() == log.session()) {
            return Optional.empty();
        }
        Loop loop = loops.get(id.value() % loops.size());
        CompletableFuture<ShardView> view = views.computeIfAbsent(id, s -> log.view(s, loop));
        return Optional.of(new ViewedPartition(view, loop, partition.partitionId(), Math.toIntExact(shard.epoch())));
    }
}
