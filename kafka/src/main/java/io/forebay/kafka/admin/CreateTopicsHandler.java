package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin.ConfigEntry;
import io.forebay.broker.admin.Admin.CreatedTopic;
import io.forebay.broker.admin.Admin.TopicCreation;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.jspecify.annotations.Nullable;

/** Creates topics, or checks whether they could be created. */
public final class CreateTopicsHandler implements ApiHandler<CreateTopicsRequestData> {

    private static final int BROKER_DEFAULT = -1;
    private static final short FIRST_WITH_DEFAULTS = 4;

    private final Broker broker;

    public CreateTopicsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.CREATE_TOPICS;
    }

    @Override
    public CreateTopicsRequestData read(Readable body, short version) {
        return new CreateTopicsRequestData(body, version);
    }

    /** Why a topic isn't even tried. */
    private record Refusal(Errors error, String message) {}

    @Override
    public void handle(CreateTopicsRequestData request, Exchange exchange) {
        Set<String> twice = twice(request);
        Map<String, Refusal> refused = new HashMap<>();
        List<TopicCreation> creations = new ArrayList<>();
        for (CreatableTopic topic : request.topics()) {
            Optional<Refusal> refusal = twice.contains(topic.name())
                    ? Optional.of(new Refusal(Errors.INVALID_REQUEST, "the request names this topic more than once"))
                    : refusal(topic, exchange.version());
            refusal.ifPresent(why -> refused.put(topic.name(), why));
            if (refusal.isEmpty()) {
                creations.add(creation(topic));
            }
        }
        CreateTopicsResponseData response = new CreateTopicsResponseData();
        refused.forEach((name, why) -> response.topics().add(failed(name, why.error, why.message)));
        When.done(broker.admin().createTopics(creations, request.validateOnly()), (created, failure) -> {
            if (failure != null) {
                exchange.fail(failure);
                return;
            }
            created.forEach(topic -> response.topics().add(result(topic)));
            exchange.answer(response);
        });
    }

    private static Set<String> twice(CreateTopicsRequestData request) {
        Set<String> seen = new HashSet<>();
        Set<String> twice = new HashSet<>();
        for (CreatableTopic topic : request.topics()) {
            if (!seen.add(topic.name())) {
                twice.add(topic.name());
            }
        }
        return twice;
    }

    private static Optional<Refusal> refusal(CreatableTopic topic, short version) {
        if (topic.name().equals(Topic.CLUSTER_METADATA_TOPIC_NAME)) {
            return Optional.of(new Refusal(Errors.INVALID_REQUEST, "this name is reserved"));
        }
        if (topic.assignments().isEmpty()) {
            boolean asksForDefault =
                    topic.numPartitions() == BROKER_DEFAULT || topic.replicationFactor() == BROKER_DEFAULT;
            return version < FIRST_WITH_DEFAULTS && asksForDefault
                    ? Optional.of(new Refusal(
                            Errors.INVALID_REQUEST, "this version needs the number of partitions and replicas"))
                    : Optional.empty();
        }
        if (topic.numPartitions() != BROKER_DEFAULT || topic.replicationFactor() != BROKER_DEFAULT) {
            return Optional.of(new Refusal(
                    Errors.INVALID_REQUEST, "with a manual assignment, partitions and replication factor must be -1"));
        }
        Set<Integer> indices = new HashSet<>();
        for (CreatableReplicaAssignment assignment : topic.assignments()) {
            int index = assignment.partitionIndex();
            if (index < 0 || index >= topic.assignments().size() || !indices.add(index)) {
                return Optional.of(new Refusal(
                        Errors.INVALID_REPLICA_ASSIGNMENT, "partitions must be numbered from 0 without gaps"));
            }
            if (assignment.brokerIds().isEmpty()) {
                return Optional.of(new Refusal(
                        Errors.INVALID_REPLICA_ASSIGNMENT, "partition " + index + " is assigned to no node"));
            }
        }
        return Optional.empty();
    }

    private static TopicCreation creation(CreatableTopic topic) {
        Map<String, @Nullable String> configs = new HashMap<>();
        topic.configs().forEach(config -> configs.put(config.name(), config.value()));
        return new TopicCreation(
                topic.name(),
                topic.numPartitions(),
                topic.replicationFactor(),
                topic.assignments().size(),
                configs);
    }

    private static CreatableTopicResult failed(String name, Errors error, String message) {
        return new CreatableTopicResult()
                .setName(name)
                .setErrorCode(error.code())
                .setErrorMessage(ErrorTable.message(error, message))
                .setNumPartitions(-1)
                .setReplicationFactor((short) -1)
                .setConfigs(List.of());
    }

    private static CreatableTopicResult result(CreatedTopic topic) {
        if (topic.error() != Errors.NONE) {
            return failed(topic.name(), topic.error(), topic.message());
        }
        List<CreatableTopicConfigs> configs = new ArrayList<>();
        for (ConfigEntry entry : topic.configs()) {
            configs.add(new CreatableTopicConfigs()
                    .setName(entry.name())
                    .setValue(entry.sensitive() ? null : entry.value())
                    .setReadOnly(entry.readOnly())
                    .setConfigSource(entry.source().id())
                    .setIsSensitive(entry.sensitive()));
        }
        return new CreatableTopicResult()
                .setName(topic.name())
                .setTopicId(Ids.toKafka(topic.id()))
                .setNumPartitions(topic.partitions())
                .setReplicationFactor(topic.replicationFactor())
                .setConfigs(configs);
    }
}
