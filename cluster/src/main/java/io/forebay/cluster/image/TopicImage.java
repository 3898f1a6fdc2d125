package io.forebay.cluster.image;

import io.forebay.formats.metadata.TopicCreated;
import io.forebay.model.ShardId;
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

    /** The topic that a record creates. */
    public static TopicImage of(TopicCreated record) {
        return new TopicImage(
                record.getName(),
                TopicIds.fromBytes(record.getId()),
                record.getInternal(),
                record.getPartitionsList().stream()
                        .map(p -> new PartitionImage(p.getIndex(), p.getPartitionId(), new ShardId(p.getShard())))
                        .toList(),
                record.getConfigsMap());
    }
}
