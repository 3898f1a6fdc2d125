package io.forebay.kafka.metadata;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin.TopicCreation;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.AuthorizedOperations;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import io.forebay.kafka.api.Leaders;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/**
 * Tells clients about brokers, topics and partitions, and creates a topic on first use where client and configuration allow it.
 *
 * <p>The answer to a request that created a topic already shows it: the client need not ask again.
 */
public final class MetadataHandler implements ApiHandler<MetadataRequestData> {

    private static final int FIRST_WITH_IDS_IN_REQUEST = 12;
    private static final int FIRST_WITH_CLUSTER_OPERATIONS = 8;
    private static final int LAST_WITH_CLUSTER_OPERATIONS = 10;
    private static final int BROKER_DEFAULT = -1;

    private final Broker broker;
    private final boolean autoCreate;

    public MetadataHandler(Broker broker, boolean autoCreate) {
        this.broker = broker;
        this.autoCreate = autoCreate;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.METADATA;
    }

    @Override
    public MetadataRequestData read(Readable body, short version) {
        return new MetadataRequestData(body, version);
    }

    @Override
    public void handle(MetadataRequestData request, Exchange exchange) {
        if (isForAllTopics(request, exchange.version())) {
            answer(request, exchange, Map.of());
            return;
        }
        for (MetadataRequestTopic topic : request.topics()) {
            if (exchange.version() < FIRST_WITH_IDS_IN_REQUEST
                    && (topic.name() == null || !topic.topicId().equals(Uuid.ZERO_UUID))) {
                exchange.fail(Errors.INVALID_REQUEST.exception("topic ids cannot be asked for in this version"));
                return;
            }
        }
        List<TopicCreation> missing = autoCreate && request.allowAutoTopicCreation() ? missing(request) : List.of();
        if (missing.isEmpty()) {
            answer(request, exchange, Map.of());
            return;
        }
        When.done(broker.admin().createTopics(missing, false), (created, failure) -> {
            if (failure != null) {
                exchange.fail(failure);
                return;
            }
            Map<String, Errors> errors = new HashMap<>();
            created.forEach(topic -> errors.put(topic.name(), topic.error()));
            answer(request, exchange, errors);
        });
    }

    // In the oldest version an empty list means all topics, later null does and an empty list means none.
    private static boolean isForAllTopics(MetadataRequestData request, short version) {
        return request.topics() == null || (version == 0 && request.topics().isEmpty());
    }

    private List<TopicCreation> missing(MetadataRequestData request) {
        ClusterImage image = broker.image();
        Set<String> names = new LinkedHashSet<>();
        for (MetadataRequestTopic topic : request.topics()) {
            if (topic.name() != null
                    && topic.topicId().equals(Uuid.ZERO_UUID)
                    && Topic.isValid(topic.name())
                    && image.topic(topic.name()) == null) {
                names.add(topic.name());
            }
        }
        List<TopicCreation> missing = new ArrayList<>(names.size());
        for (String name : names) {
            missing.add(new TopicCreation(name, BROKER_DEFAULT, (short) BROKER_DEFAULT, 0, Map.of()));
        }
        return missing;
    }

    private void answer(MetadataRequestData request, Exchange exchange, Map<String, Errors> creationErrors) {
        ClusterImage image = broker.image();
        short version = exchange.version();
        MetadataResponseData response =
                new MetadataResponseData().setClusterId(image.clusterId()).setControllerId(Leaders.controller(image));
        for (NodeImage node : image.brokers()) {
            response.brokers()
                    .add(new MetadataResponseBroker()
                            .setNodeId(node.nodeId())
                            .setHost(node.host())
                            .setPort(node.port())
                            .setRack(node.rack().isEmpty() ? null : node.rack()));
        }
        int operations = request.includeTopicAuthorizedOperations() && version >= FIRST_WITH_CLUSTER_OPERATIONS
                ? AuthorizedOperations.TOPIC
                : AuthorizedOperations.NOT_ASKED;
        if (isForAllTopics(request, version)) {
            for (TopicImage topic : image.topics()) {
                response.topics().add(topic(image, topic).setTopicAuthorizedOperations(operations));
            }
        } else {
            for (MetadataRequestTopic asked : request.topics()) {
                addAsked(response, image, asked, version, operations, creationErrors);
            }
        }
        if (request.includeClusterAuthorizedOperations()
                && version >= FIRST_WITH_CLUSTER_OPERATIONS
                && version <= LAST_WITH_CLUSTER_OPERATIONS) {
            response.setClusterAuthorizedOperations(AuthorizedOperations.CLUSTER);
        }
        exchange.answer(response);
    }

    private static void addAsked(
            MetadataResponseData response,
            ClusterImage image,
            MetadataRequestTopic asked,
            short version,
            int operations,
            Map<String, Errors> creationErrors) {
        boolean byId = !asked.topicId().equals(Uuid.ZERO_UUID);
        TopicImage known = byId ? image.topic(Ids.fromKafka(asked.topicId())) : image.topic(nameOf(asked));
        MetadataResponseTopic topic;
        if (known != null) {
            topic = topic(image, known);
        } else if (byId) {
            topic = new MetadataResponseTopic()
                    .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code())
                    .setName(version >= FIRST_WITH_IDS_IN_REQUEST ? null : "")
                    .setTopicId(asked.topicId());
        } else {
            String name = nameOf(asked);
            Errors error = Topic.isValid(name)
                    ? creationErrors.getOrDefault(name, Errors.UNKNOWN_TOPIC_OR_PARTITION)
                    : Errors.INVALID_TOPIC_EXCEPTION;
            topic = new MetadataResponseTopic()
                    .setErrorCode(notYet(error).code())
                    .setName(name)
                    .setIsInternal(Topic.isInternal(name));
        }
        // A topic that is asked for twice is answered once.
        response.topics().add(topic.setTopicAuthorizedOperations(operations));
    }

    // What clients of Metadata know how to wait for; a topic that somebody else just made is such a case.
    private static Errors notYet(Errors error) {
        return error == Errors.NONE || error == Errors.TOPIC_ALREADY_EXISTS ? Errors.LEADER_NOT_AVAILABLE : error;
    }

    private static String nameOf(MetadataRequestTopic asked) {
        return asked.name() == null ? "" : asked.name();
    }

    private static MetadataResponseTopic topic(ClusterImage image, TopicImage topic) {
        List<MetadataResponsePartition> partitions =
                new ArrayList<>(topic.partitions().size());
        for (PartitionImage partition : topic.partitions()) {
            partitions.add(partition(image, partition));
        }
        return new MetadataResponseTopic()
                .setName(topic.name())
                .setTopicId(Ids.toKafka(topic.id()))
                .setIsInternal(topic.internal())
                .setPartitions(partitions);
    }

    private static MetadataResponsePartition partition(ClusterImage image, PartitionImage partition) {
        Leaders.Leader leader = Leaders.of(image, partition);
        List<Integer> replicas = Leaders.replicas(image, partition, leader);
        return new MetadataResponsePartition()
                .setErrorCode(
                        leader.nodeId() == Leaders.NO_LEADER ? Errors.LEADER_NOT_AVAILABLE.code() : Errors.NONE.code())
                .setPartitionIndex(partition.index())
                .setLeaderId(leader.nodeId())
                .setLeaderEpoch(leader.epoch())
                .setReplicaNodes(replicas)
                .setIsrNodes(replicas);
    }
}
