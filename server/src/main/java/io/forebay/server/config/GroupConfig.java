package io.forebay.server.config;

import java.util.Map;

/**
 * Consumer groups.
 *
 * @param offsetsTopicPartitions partitions of the internal topic that holds groups
 * @param kafkaProperties everything under the names Kafka's group coordinator knows, numbers without units
 */
public record GroupConfig(int offsetsTopicPartitions, Map<String, String> kafkaProperties) {
    public GroupConfig {
        kafkaProperties = Map.copyOf(kafkaProperties);
    }
}
