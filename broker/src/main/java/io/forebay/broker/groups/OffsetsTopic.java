package io.forebay.broker.groups;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.session.PartitionObserver;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;

/**
 * The partitions of {@code __consumer_offsets} that are served here, and their coordinators.
 *
 * <p>A node becomes the coordinator of a partition when it opens and resigns when it closes: a session that ends (a flush failed after the append had
 * returned) takes its coordinators with it, and the next one replays them.
 */
public final class OffsetsTopic implements PartitionObserver {

    private final GroupLog log;
    private final CoordinatorHost host;
    private final KafkaImage kafkaImage;
    private volatile int partitionCount;

    /**
     * Begins without any.
     *
     * @param partitionCount until the topic exists
     */
    public OffsetsTopic(int nodeId, int partitionCount, GroupLog log, CoordinatorHost host) {
        this.log = log;
        this.host = host;
        this.kafkaImage = new KafkaImage(nodeId);
        this.partitionCount = partitionCount;
    }

    /** How many partitions the topic has; before it exists, how many it will have. Any thread. */
    public int partitionCount() {
        return partitionCount;
    }

    /** Follows a newer image. On the control loop. */
    public void follow(ClusterImage image) {
        TopicImage offsets = image.topic(Topic.GROUP_METADATA_TOPIC_NAME);
        if (offsets != null) {
            partitionCount = offsets.partitions().size();
        }
        KafkaImage.Change change = kafkaImage.follow(image);
        host.metadata(change.delta(), change.image());
    }

    @Override
    public void opened(Partition partition, int leaderEpoch) {
        if (partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
            log.opened(key(partition), partition);
            host.elected(partition.index(), leaderEpoch);
        }
    }

    @Override
    public void closed(Partition partition) {
        if (partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
            log.closed(key(partition), partition);
            host.resigned(partition.index());
        }
    }

    private static TopicPartition key(Partition partition) {
        return new TopicPartition(partition.topic(), partition.index());
    }
}
