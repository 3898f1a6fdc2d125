package io.forebay.server.cli.group;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.PartitionOrder;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/**
 * A consumer group as it stands: what it has committed, what it owns, what is left to read.
 *
 * @param rows in the order of topic and partition
 */
record GroupView(ConsumerGroupDescription group, List<Row> rows) {

    /**
     * One partition that the group has committed or owns.
     *
     * @param committed empty if nothing was
     * @param end empty if the partition is gone
     */
    record Row(
            TopicPartition partition, Optional<Long> committed, Optional<Long> end, Optional<MemberDescription> owner) {

        /** Records that are not yet committed; empty if nothing was committed or the partition is gone. */
        Optional<Long> lag() {
            return committed.flatMap(from -> end.map(to -> Math.max(0, to - from)));
        }
    }

    static GroupView of(BrokerAdmin broker, String name) {
        ConsumerGroupDescription group = broker.group(name);
        Map<TopicPartition, MemberDescription> owners = new HashMap<>();
        for (MemberDescription member : group.members()) {
            member.assignment().topicPartitions().forEach(partition -> owners.put(partition, member));
        }
        Map<TopicPartition, Optional<Long>> committed = new TreeMap<>(PartitionOrder.INSTANCE);
        owners.keySet().forEach(partition -> committed.put(partition, Optional.empty()));
        committed(broker, name).forEach((partition, offset) -> committed.put(partition, Optional.of(offset)));
        Map<TopicPartition, Long> ends = ends(broker, committed.keySet());
        return new GroupView(
                group,
                committed.entrySet().stream()
                        .map(entry -> new Row(
                                entry.getKey(),
                                entry.getValue(),
                                Optional.ofNullable(ends.get(entry.getKey())),
                                Optional.ofNullable(owners.get(entry.getKey()))))
                        .toList());
    }

    /** What the group has committed, by partition. */
    static Map<TopicPartition, Long> committed(BrokerAdmin broker, String name) {
        Map<TopicPartition, OffsetAndMetadata> answer =
                broker.await(broker.admin().listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata());
        Map<TopicPartition, Long> result = new TreeMap<>(PartitionOrder.INSTANCE);
        answer.forEach((partition, offset) -> {
            if (offset != null) {
                result.put(partition, offset.offset());
            }
        });
        return result;
    }

    String state() {
        return group.groupState().toString().toLowerCase(Locale.ROOT);
    }

    String type() {
        return group.type().toString().toLowerCase(Locale.ROOT);
    }

    Optional<Node> coordinator() {
        return Optional.ofNullable(group.coordinator());
    }

    long totalLag() {
        return rows.stream().mapToLong(row -> row.lag().orElse(0L)).sum();
    }

    /** A group may remember partitions of a topic that is gone; asking for their end would fail for all. */
    private static Map<TopicPartition, Long> ends(BrokerAdmin broker, Collection<TopicPartition> partitions) {
        Map<String, Integer> counts = new HashMap<>();
        for (TopicPartition partition : partitions) {
            counts.computeIfAbsent(
                    partition.topic(),
                    topic -> broker.findTopic(topic)
                            .map(found -> found.partitions().size())
                            .orElse(0));
        }
        return broker.offsets(
                partitions.stream()
                        .filter(p -> p.partition() < counts.getOrDefault(p.topic(), 0))
                        .toList(),
                OffsetSpec.latest());
    }
}
