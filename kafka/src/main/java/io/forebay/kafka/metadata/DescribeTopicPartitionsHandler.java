package io.forebay.kafka.metadata;

import io.forebay.broker.Broker;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.AuthorizedOperations;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import io.forebay.kafka.api.Leaders;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Describes topics page by page, in the order of their names (KIP-966). */
public final class DescribeTopicPartitionsHandler implements ApiHandler<DescribeTopicPartitionsRequestData> {

    /** Most partitions in one answer, whatever the client asks for. */
    private static final int PARTITIONS_MAX = 2_000;

    private final Broker broker;

    public DescribeTopicPartitionsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_TOPIC_PARTITIONS;
    }

    @Override
    public DescribeTopicPartitionsRequestData read(Readable body, short version) {
        return new DescribeTopicPartitionsRequestData(body, version);
    }

    @Override
    public void handle(DescribeTopicPartitionsRequestData request, Exchange exchange) {
        ClusterImage image = broker.image();
        Cursor cursor = request.cursor();
        TreeSet<String> names = new TreeSet<>();
        boolean all = request.topics().isEmpty();
        if (all) {
            image.topics().forEach(topic -> names.add(topic.name()));
        } else {
            request.topics().forEach(topic -> names.add(topic.name()));
        }
        if (cursor != null && (cursor.partitionIndex() < 0 || (!all && !names.contains(cursor.topicName())))) {
            exchange.fail(Errors.INVALID_REQUEST.exception("the cursor is not part of what is asked for"));
            return;
        }
        int room = Math.max(1, Math.min(PARTITIONS_MAX, request.responsePartitionLimit()));
        DescribeTopicPartitionsResponseData response = new DescribeTopicPartitionsResponseData();
        for (String name : cursor == null ? names : names.tailSet(cursor.topicName())) {
            int from = cursor != null && name.equals(cursor.topicName()) ? cursor.partitionIndex() : 0;
            TopicImage topic = image.topic(name);
            if (room == 0) {
                response.setNextCursor(cursor(name, from));
                break;
            }
            if (topic == null) {
                response.topics().add(unknown(name));
                continue;
            }
            int end = Math.min(topic.partitions().size(), from + room);
            response.topics().add(describe(image, topic, from, end));
            room -= Math.max(0, end - from);
            if (end < topic.partitions().size()) {
                response.setNextCursor(cursor(name, end));
                break;
            }
        }
        exchange.answer(response);
    }

    private static DescribeTopicPartitionsResponseData.Cursor cursor(String name, int partition) {
        return new DescribeTopicPartitionsResponseData.Cursor()
                .setTopicName(name)
                .setPartitionIndex(partition);
    }

    private static DescribeTopicPartitionsResponseTopic unknown(String name) {
        Errors error = Topic.isValid(name) ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.INVALID_TOPIC_EXCEPTION;
        return new DescribeTopicPartitionsResponseTopic()
                .setErrorCode(error.code())
                .setName(name)
                .setIsInternal(Topic.isInternal(name));
    }

    private static DescribeTopicPartitionsResponseTopic describe(
            ClusterImage image, TopicImage topic, int from, int end) {
        List<DescribeTopicPartitionsResponsePartition> partitions = new ArrayList<>();
        for (int i = from; i < end; i++) {
            Leaders.Leader leader = Leaders.of(image, topic.partitions().get(i));
            List<Integer> replicas = Leaders.replicas(image, topic.partitions().get(i), leader);
            Errors error = leader.nodeId() == Leaders.NO_LEADER ? Errors.LEADER_NOT_AVAILABLE : Errors.NONE;
            partitions.add(new DescribeTopicPartitionsResponsePartition()
                    .setErrorCode(error.code())
                    .setPartitionIndex(i)
                    .setLeaderId(leader.nodeId())
                    .setLeaderEpoch(leader.epoch())
                    .setReplicaNodes(replicas)
                    .setIsrNodes(replicas)
                    .setEligibleLeaderReplicas(List.of())
                    .setLastKnownElr(List.of()));
        }
        return new DescribeTopicPartitionsResponseTopic()
                .setName(topic.name())
                .setTopicId(Ids.toKafka(topic.id()))
                .setIsInternal(topic.internal())
                .setPartitions(partitions)
                .setTopicAuthorizedOperations(AuthorizedOperations.TOPIC);
    }
}
