package io.forebay.server.cli;

import java.util.Comparator;
import org.apache.kafka.common.TopicPartition;

/** By topic, then by number. */
final class PartitionOrder {
    static final Comparator<TopicPartition> INSTANCE =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private PartitionOrder() {}
}
