package io.forebay.cluster.image;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One topic.
 *
 * @param partitions element i has index i
 * @param configs only what was set on the topic itself, Kafka names
 */
public record TopicImage(
        String name, UUID id, boolean internal, List<PartitionImage> partitions, Map<String, String> configs) {

    public TopicImage {
        partitions = List.copyOf(partitions);
        configs = Map.copyOf(configs);
    }
}
