package io.forebay.kafka.fake;

import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An image with one node and one shard. Immutable. */
public record FakeImage(Map<String, TopicImage> byName, NodeImage self, long version) implements ClusterImage {

    public static final int NODE_ID = 7;
    public static final int EPOCH = 3;
    public static final ShardId SHARD = ShardId.user(0);

    public static FakeImage empty(String host, int port) {
        return new FakeImage(Map.of(), new NodeImage(NODE_ID, 1, host, port, "", false), 1);
    }

    public FakeImage with(String name, UUID id, int partitions) {
        List<PartitionImage> all = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            all.add(new PartitionImage(i, 100L * (byName.size() + 1) + i, SHARD));
        }
        Map<String, TopicImage> more = new java.util.TreeMap<>(byName);
        more.put(name, new TopicImage(name, id, name.startsWith("__"), all, Map.of()));
        return new FakeImage(more, self, version + 1);
    }

    public FakeImage without(String name) {
        Map<String, TopicImage> fewer = new java.util.TreeMap<>(byName);
        fewer.remove(name);
        return new FakeImage(fewer, self, version + 1);
    }

    public FakeImage at(String host, int port) {
        return new FakeImage(byName, new NodeImage(NODE_ID, 1, host, port, "", false), version);
    }

    @Override
    public String clusterId() {
        return "fakefakefakefakefakefA";
    }

    @Override
    public int controllerNode() {
        return NODE_ID;
    }

    @Override
    public @Nullable TopicImage topic(String name) {
        return byName.get(name);
    }

    @Override
    public @Nullable TopicImage topic(UUID id) {
        return byName.values().stream()
                .filter(topic -> topic.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Collection<TopicImage> topics() {
        return byName.values();
    }

    @Override
    public @Nullable ShardImage shard(ShardId id) {
        return id.equals(SHARD) ? new ShardImage(SHARD, EPOCH, NODE_ID, 1) : null;
    }

    @Override
    public Collection<ShardImage> shards() {
        return List.of(new ShardImage(SHARD, EPOCH, NODE_ID, 1));
    }

    @Override
    public @Nullable NodeImage node(int nodeId) {
        return nodeId == NODE_ID ? self : null;
    }

    @Override
    public Collection<NodeImage> nodes() {
        return List.of(self);
    }

    @Override
    public Collection<NodeImage> brokers() {
        return nodes();
    }

    @Override
    public boolean isLive(long session) {
        return session == self.session();
    }

    @Override
    public Map<String, String> brokerConfigs(String nodeIdOrEmpty) {
        return Map.of();
    }

    @Override
    public Map<String, String> groupConfigs(String groupId) {
        return Map.of();
    }
}
