package io.forebay.kafka.api;

import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.image.TopicImage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who serves a partition, in the protocol's words: the owner of its shard leads it, and the shard's epoch is its leader epoch. */
public final class Leaders {

    /** Stands for a leader that is not known. */
    public static final int NO_LEADER = -1;

    private Leaders() {}

    /**
     * The leader of one partition.
     *
     * @param nodeId {@link #NO_LEADER} if nobody serves it at the moment
     * @param node where it can be reached
     */
    public record Leader(int nodeId, int epoch, Optional<NodeImage> node) {}

    /** Whether a topic has such a partition. */
    public static boolean exists(@Nullable TopicImage topic, int index) {
        return topic != null && index >= 0 && index < topic.partitions().size();
    }

    /** The leader; empty if the partition doesn't exist. */
    public static Optional<Leader> of(ClusterImage image, @Nullable TopicImage topic, int index) {
        return topic != null && exists(topic, index)
                ? Optional.of(of(image, topic.partitions().get(index)))
                : Optional.empty();
    }

    public static Leader of(ClusterImage image, PartitionImage partition) {
        ShardImage shard = image.shard(partition.shard());
        if (shard == null) {
            return new Leader(NO_LEADER, 0, Optional.empty());
        }
        NodeImage node = image.node(shard.ownerNode());
        int epoch = Math.toIntExact(shard.epoch());
        return node == null
                ? new Leader(NO_LEADER, epoch, Optional.empty())
                : new Leader(node.nodeId(), epoch, Optional.of(node));
    }

    /** The nodes that hold a partition, as the protocol counts them: its leader alone, since the store replicates. */
    public static List<Integer> replicas(Leader leader) {
        return leader.nodeId() == NO_LEADER ? List.of() : List.of(leader.nodeId());
    }
}
