package io.forebay.cluster.control;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.formats.control.ClusterStatus;
import io.forebay.formats.control.NodeStatus;
import io.forebay.formats.control.ShardStatus;
import io.forebay.model.ShardId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** What the image says to operators: nodes, shards and their owners. Pure. */
final class ImageStatus {

    private static final int NONE = -1;

    private ImageStatus() {}

    /** A status that has the image's part; who was heard and what moves is to be added. */
    static ClusterStatus.Builder of(MetadataImage image) {
        ClusterStatus.Builder status = ClusterStatus.newBuilder()
                .setClusterId(image.clusterId())
                .setVersion(image.version())
                .setLevel(image.level())
                .setTerm(image.term())
                .setControllerNode(image.controllerNode())
                .setTopics(image.topics().size());
        Map<ShardId, Integer> partitions = new HashMap<>();
        for (TopicImage topic : image.topics()) {
            topic.partitions().forEach(partition -> partitions.merge(partition.shard(), 1, Integer::sum));
        }
        status.setPartitions(
                partitions.values().stream().mapToLong(Integer::longValue).sum());
        image.everyNode().stream()
                .sorted(Comparator.comparingInt(NodeImage::nodeId))
                .forEach(node -> status.addNodes(node(image, node)));
        Placement.shards(image)
                .forEach(shard -> status.addShards(shard(image, shard, partitions.getOrDefault(shard, 0))));
        return status;
    }

    private static NodeStatus node(MetadataImage image, NodeImage node) {
        NodeStatus.Builder status = NodeStatus.newBuilder()
                .setNodeId(node.nodeId())
                .setSession(node.session())
                .setHost(node.host())
                .setPort(node.port())
                .setRack(node.rack())
                .setDrained(node.drained());
        SessionImage session = image.session(node.session());
        if (session != null) {
            status.setAlive(true);
            session.roles().stream().sorted().map(Role::encoded).forEach(status::addRoles);
        }
        return status.build();
    }

    private static ShardStatus shard(MetadataImage image, ShardId id, int partitions) {
        ShardImage shard = image.shard(id);
        return ShardStatus.newBuilder()
                .setShard(id.value())
                .setEpoch(shard == null ? NONE : shard.epoch())
                .setOwnerNode(shard == null || !image.isLive(shard.ownerSession()) ? NONE : shard.ownerNode())
                .setPartitions(partitions)
                .build();
    }
}
