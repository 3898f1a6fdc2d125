package io.forebay.server.cli.client;

import java.util.Comparator;
import org.apache.kafka.common.TopicPartition;

/** By topic, then by number. */
public final class PartitionOrder {
    public static final Comparator<TopicPartition> INSTANCE =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private PartitionOrder() {}
}
