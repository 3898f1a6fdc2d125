package io.forebay.broker.groups;

import io.forebay.model.Clock;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What the group coordinator works with.
 *
 * @param loadExecutor replays partitions
 * @param offsetsPartitions of the offsets topic, when it is created
 * @param kafkaProperties {@code group.*} and {@code offsets.*} settings by their Kafka names
 */
public record GroupPorts(
        int nodeId, Clock clock, Executor loadExecutor, int offsetsPartitions, Map<String, String> kafkaProperties) {
    public GroupPorts {
        kafkaProperties = Map.copyOf(kafkaProperties);
    }
}
