package io.forebay.broker.groups;

import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.TopicImage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;

/** Follows our image with Kafka's, as far as the coordinator looks at it: topics and their partitions. Owned by the control loop. */
final class KafkaImage {

    private final int nodeId;
    private final Map<UUID, Integer> partitionCounts = new HashMap<>();
    private MetadataImage image = MetadataImage.EMPTY;

    KafkaImage(int nodeId) {
        this.nodeId = nodeId;
    }

    /** A change and the image after it. */
    record Change(MetadataDelta delta, MetadataImage image) {}

    Change follow(ClusterImage newer) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        for (TopicImage topic : newer.topics()) {
            Integer before = partitionCounts.put(topic.id(), topic.partitions().size());
            if (before == null) {
                delta.replay(new TopicRecord().setName(topic.name()).setTopicId(kafkaId(topic.id())));
            }
            int known = before == null ? 0 : before;
            for (PartitionImage partition :
                    topic.partitions().subList(known, topic.partitions().size())) {
                delta.replay(partitionRecord(topic, partition));
            }
        }
        partitionCounts.keySet().removeIf(id -> {
            boolean gone = newer.topic(id) == null;
            if (gone) {
                delta.replay(new RemoveTopicRecord().setTopicId(kafkaId(id)));
            }
            return gone;
        });
        image = delta.apply(new MetadataProvenance(newer.version(), 0, 0, true));
        return new Change(delta, image);
    }

    private PartitionRecord partitionRecord(TopicImage topic, PartitionImage partition) {
        return new PartitionRecord()
                .setTopicId(kafkaId(topic.id()))
                .setPartitionId(partition.index())
                .setReplicas(List.of(nodeId))
                .setIsr(List.of(nodeId))
                .setDirectories(List.of(DirectoryId.UNASSIGNED))
                .setLeader(nodeId)
                .setLeaderEpoch(0)
                .setPartitionEpoch(0);
    }

    private static Uuid kafkaId(UUID id) {
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
}
