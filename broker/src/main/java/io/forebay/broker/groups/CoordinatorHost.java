package io.forebay.broker.groups;

import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/**
 * Runs group coordinators and is told for which partitions. In production Kafka's service with its own threads; in the simulator Kafka's
 * runtime on simulated loops.
 */
public interface CoordinatorHost {

    /** The partition of the offsets topic is served here: load its coordinator. On the partition's loop, must not block. */
    void elected(int partition, int leaderEpoch);

    /** It is not served here any more. On the partition's loop, must not block. */
    void resigned(int partition);

    /** Topics changed. On the control loop. */
    void metadata(MetadataDelta delta, MetadataImage image);
}
