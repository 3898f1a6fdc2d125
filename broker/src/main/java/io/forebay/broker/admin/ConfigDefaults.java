package io.forebay.broker.admin;

import java.util.List;
import java.util.Map;

/**
 * What this node's configuration file says, in Kafka's terms.
 *
 * @param topicDefaults by topic config name: the values that hold for topics without their own; only those the node sets
 * @param brokerEntries every setting of the node, as DescribeConfigs of the broker shows it
 * @param partitions of topics created without a number ({@code num.partitions})
 * @param offsetsPartitions of the offsets topic ({@code offsets.topic.num.partitions})
 */
public record ConfigDefaults(
        Map<String, String> topicDefaults,
        List<Admin.ConfigEntry> brokerEntries,
        int partitions,
        int offsetsPartitions) {
    public ConfigDefaults {
        topicDefaults = Map.copyOf(topicDefaults);
        brokerEntries = List.copyOf(brokerEntries);
    }
}
