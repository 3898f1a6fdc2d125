package io.forebay.cluster.image;

import io.forebay.model.ShardId;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's metadata as of one flushed record. Immutable.
 *
 * <p>A change makes a new image that shares what did not change; look-ups are by hash.
 */
public interface ClusterImage {

    /** Number of the last record in it; grows with every change. */
    long version();

    /** Kafka's cluster id: 22 characters. */
    String clusterId();

    /** Node id of the controller. */
    int controllerNode();

    @Nullable
    TopicImage topic(String name);

    @Nullable
    TopicImage topic(UUID id);

    Collection<TopicImage> topics();

    @Nullable
    ShardImage shard(ShardId id);

    Collection<ShardImage> shards();

    /** The node, living or not; null if no node with this id ever registered. */
    @Nullable
    NodeImage node(int nodeId);

    /** Nodes whose session is not known to be over. */
    Collection<NodeImage> nodes();

    /** Those of {@link #nodes} that serve clients: a node that only stands for the controller does not. */
    Collection<NodeImage> brokers();

    /** Whether a session was registered and is not known to be over. */
    boolean isLive(long session);

    /** Dynamic configuration of all brokers (empty node) or one: Kafka names. */
    Map<String, String> brokerConfigs(String nodeIdOrEmpty);

    /** Dynamic configuration of one group: Kafka names. */
    Map<String, String> groupConfigs(String groupId);
}
