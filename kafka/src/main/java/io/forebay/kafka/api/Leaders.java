package io.forebay.kafka.api;

import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.image.TopicImage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
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
        return node == null || !image.isLive(shard.ownerSession())
                ? new Leader(NO_LEADER, epoch, Optional.empty())
                : new Leader(node.nodeId(), epoch, Optional.of(node));
    }

    /**
     * The nodes from which a partition can be read, as the protocol counts replicas: its leader, since the store replicates, and for each other rack one node that serves old
     * records to clients of that rack (KIP-392).
     */
    public static List<Integer> replicas(ClusterImage image, PartitionImage partition, Leader leader) {
        if (leader.nodeId() == NO_LEADER) {
            return List.of();
        }
        List<Integer> replicas = new ArrayList<>();
        replicas.add(leader.nodeId());
        for (String rack :
                new TreeSet<>(image.brokers().stream().map(NodeImage::rack).toList())) {
            int reader = reader(image, partition, rack);
            if (reader != PartitionFetch.NO_READER) {
                replicas.add(reader);
            }
        }
        return replicas;
    }

    /**
     * The node that serves old records of a partition to clients of a rack (KIP-392), spread by partition; {@link PartitionFetch#NO_READER} if the leader
     * is in that rack itself, or nobody is.
     *
     * @param rack empty: the client did not say
     */
    public static int reader(ClusterImage image, PartitionImage partition, String rack) {
        Leader leader = of(image, partition);
        if (rack.isEmpty()
                || leader.node().isEmpty()
                || leader.node().get().rack().equals(rack)) {
            return PartitionFetch.NO_READER;
        }
        List<Integer> there = image.brokers().stream()
                .filter(node -> node.rack().equals(rack))
                .map(NodeImage::nodeId)
                .sorted()
                .toList();
        return there.isEmpty() ? PartitionFetch.NO_READER : there.get((int) (partition.partitionId() % there.size()));
    }

    /** The node that clients send administration to: the controller if it serves clients, else any that does; it reaches the controller by itself. */
    public static int controller(ClusterImage image) {
        return image.brokers().stream()
                .map(NodeImage::nodeId)
                .min(Comparator.comparingInt((Integer id) -> id == image.controllerNode() ? 0 : 1)
                        .thenComparing(Comparator.naturalOrder()))
                .orElse(NO_LEADER);
    }
}
