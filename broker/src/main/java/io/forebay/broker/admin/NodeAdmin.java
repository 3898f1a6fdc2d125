package io.forebay.broker.admin;

import io.forebay.broker.session.NodeSessions;
import io.forebay.broker.transactions.TransactionConfig;
import io.forebay.cluster.command.AddPartitions;
import io.forebay.cluster.command.CreateTopics;
import io.forebay.cluster.command.DeleteTopics;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.model.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Administration of a node: checks what Kafka checks and asks the controller. Thread-safe. */
public final class NodeAdmin implements Admin {

    private static final UUID NO_ID = new UUID(0, 0);
    private static final int MAX_PARTITIONS = CreateTopics.MAX_PARTITIONS;

    private final NodeSessions sessions;
    private final TopicSettings settings;
    private final ConfigDefaults defaults;
    private final ConfigAdmin configs;
    private final ProducerIdBlock producerIds;

    /**
     * Puts the parts together.
     *
     * @param control the control loop
     */
    public NodeAdmin(int nodeId, NodeSessions sessions, TopicSettings settings, ConfigDefaults defaults, Loop control) {
        this.sessions = sessions;
        this.settings = settings;
        this.defaults = defaults;
        this.configs = new ConfigAdmin(nodeId, sessions, settings, defaults);
        this.producerIds = new ProducerIdBlock(control, sessions::submit);
    }

    @Override
    public CompletableFuture<List<CreatedTopic>> createTopics(List<TopicCreation> topics, boolean validateOnly) {
        ClusterImage image = sessions.image();
        CreatedTopic[] answers = new CreatedTopic[topics.size()];
        List<CreateTopics.NewTopic> good = new ArrayList<>();
        List<Integer> goodAt = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        topics.forEach(topic -> seen.merge(topic.name(), 1, Integer::sum));
        for (int i = 0; i < answers.length; i++) {
            TopicCreation topic = topics.get(i);
            Optional<CreatedTopic> refused = seen.getOrDefault(topic.name(), 0) > 1
                    ? Optional.of(refusal(topic, Errors.INVALID_REQUEST, "the topic is named twice in one request"))
                    : refuse(topic, image);
            if (refused.isPresent()) {
                answers[i] = refused.get();
                continue;
            }
            goodAt.add(i);
            good.add(new CreateTopics.NewTopic(
                    topic.name(), partitionsOf(topic), Topic.isInternal(topic.name()), configsOf(topic)));
        }
        if (good.isEmpty()) {
            return CompletableFuture.completedFuture(List.of(answers));
        }
        return sessions.submit(new CreateTopics(good, validateOnly)).handle((outcomes, failure) -> {
            for (int k = 0; k < goodAt.size(); k++) {
                TopicCreation topic = topics.get(goodAt.get(k));
                answers[goodAt.get(k)] = failure != null
                        ? refusal(topic, Errors.REQUEST_TIMED_OUT, "the controller cannot write now: " + failure)
                        : created(topic, outcomes.get(k), validateOnly);
            }
            return List.of(answers);
        });
    }

    private CreatedTopic created(TopicCreation topic, CreateTopics.Outcome outcome, boolean validateOnly) {
        return switch (outcome.result()) {
            case EXISTS -> refusal(topic, Errors.TOPIC_ALREADY_EXISTS, "Topic '" + topic.name() + "' already exists.");
            case TOO_MANY_PARTITIONS ->
                refusal(
                        topic,
                        Errors.POLICY_VIOLATION,
                        "one request creates at most " + MAX_PARTITIONS + " partitions: split it");
            case CREATED ->
                new CreatedTopic(
                        topic.name(),
                        Errors.NONE,
                        "",
                        validateOnly ? NO_ID : outcome.topic().id(),
                        outcome.topic().partitions().size(),
                        topic.replicationFactor() < 1 ? 1 : topic.replicationFactor(),
                        settings.describe(outcome.topic().configs(), sessions.image()));
        };
    }

    private Optional<CreatedTopic> refuse(TopicCreation topic, ClusterImage image) {
        try {
            Topic.validate(topic.name());
        } catch (InvalidTopicException e) {
            return Optional.of(refusal(topic, Errors.INVALID_TOPIC_EXCEPTION, String.valueOf(e.getMessage())));
        }
        Optional<String> collision = collision(topic.name(), image);
        if (collision.isPresent()) {
            return Optional.of(refusal(topic, Errors.INVALID_TOPIC_EXCEPTION, collision.get()));
        }
        if (topic.assignment() > 0 && (topic.partitions() != -1 || topic.replicationFactor() != -1)) {
            return Optional.of(refusal(
                    topic,
                    Errors.INVALID_REQUEST,
                    "a manual assignment goes without a number of partitions or a replication factor"));
        }
        int partitions = partitionsOf(topic);
        if (partitions < 1 || partitions > MAX_PARTITIONS) {
            return Optional.of(refusal(
                    topic,
                    Errors.INVALID_PARTITIONS,
                    "a topic has 1 to " + MAX_PARTITIONS + " partitions, not " + partitions));
        }
        if (topic.replicationFactor() != -1 && topic.replicationFactor() < 1) {
            return Optional.of(
                    refusal(topic, Errors.INVALID_REPLICATION_FACTOR, "the replication factor must be larger than 0"));
        }
        for (Map.Entry<String, @Nullable String> config : topic.configs().entrySet()) {
            if (config.getValue() == null) {
                return Optional.of(
                        refusal(topic, Errors.INVALID_CONFIG, "no value is given for the setting " + config.getKey()));
            }
        }
        return settings.problem(given(topic.configs())).map(problem -> refusal(topic, Errors.INVALID_CONFIG, problem));
    }

    /** Names that differ only in '.' and '_' are one name to Kafka's metrics, so it refuses them. */
    private static Optional<String> collision(String name, ClusterImage image) {
        if (!Topic.hasCollisionChars(name) || image.topic(name) != null) {
            return Optional.empty();
        }
        return image.topics().stream()
                .map(TopicImage::name)
                .filter(other -> Topic.hasCollision(name, other))
                .findFirst()
                .map(other -> "Topic '" + name + "' collides with existing topic: " + other);
    }

    private int partitionsOf(TopicCreation topic) {
        if (topic.assignment() > 0) {
            return topic.assignment();
        }
        if (topic.partitions() != -1) {
            return topic.partitions();
        }
        if (topic.name().equals(Topic.TRANSACTION_STATE_TOPIC_NAME)) {
            return TransactionConfig.DEFAULT.topicPartitions();
        }
        return topic.name().equals(Topic.GROUP_METADATA_TOPIC_NAME)
                ? defaults.offsetsPartitions()
                : defaults.partitions();
    }

    /** Internal topics keep the newest record of each key, whatever the brokers' default is. */
    private static Map<String, String> configsOf(TopicCreation topic) {
        Map<String, String> configs = given(topic.configs());
        if (Topic.isInternal(topic.name())) {
            configs.putIfAbsent(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
            configs.putIfAbsent(TopicConfig.COMPRESSION_TYPE_CONFIG, "producer");
        }
        return configs;
    }

    private static Map<String, String> given(Map<String, @Nullable String> configs) {
        Map<String, String> given = new HashMap<>();
        configs.forEach((name, value) -> {
            if (value != null) {
                given.put(name, value);
            }
        });
        return given;
    }

    private static CreatedTopic refusal(TopicCreation topic, Errors error, String message) {
        return new CreatedTopic(topic.name(), error, message, NO_ID, -1, (short) -1, List.of());
    }

    @Override
    public CompletableFuture<List<DeletedTopic>> deleteTopics(List<TopicReference> topics) {
        ClusterImage image = sessions.image();
        DeletedTopic[] answers = new DeletedTopic[topics.size()];
        List<UUID> ids = new ArrayList<>();
        List<Integer> at = new ArrayList<>();
        Set<UUID> seen = new HashSet<>();
        for (int i = 0; i < answers.length; i++) {
            TopicReference wanted = topics.get(i);
            boolean byName = !wanted.name().isEmpty();
            TopicImage topic = byName ? image.topic(wanted.name()) : image.topic(wanted.id());
            if (topic == null) {
                answers[i] = new DeletedTopic(
                        wanted.name(),
                        wanted.id(),
                        byName ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.UNKNOWN_TOPIC_ID,
                        byName ? "This server does not host this topic-partition." : "there is no topic with this id");
            } else if (!seen.add(topic.id())) {
                answers[i] = new DeletedTopic(
                        topic.name(), topic.id(), Errors.INVALID_REQUEST, "the topic is named twice in one request");
            } else {
                answers[i] = new DeletedTopic(topic.name(), topic.id(), Errors.NONE, "");
                ids.add(topic.id());
                at.add(i);
            }
        }
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(List.of(answers));
        }
        return sessions.submit(new DeleteTopics(ids)).handle((found, failure) -> {
            for (int k = 0; k < at.size(); k++) {
                DeletedTopic answer = answers[at.get(k)];
                if (failure != null) {
                    answers[at.get(k)] = new DeletedTopic(
                            answer.name(), answer.id(), Errors.REQUEST_TIMED_OUT, "the controller cannot write now");
                } else if (!found.get(k)) {
                    answers[at.get(k)] =
                            new DeletedTopic(answer.name(), answer.id(), Errors.UNKNOWN_TOPIC_OR_PARTITION, "");
                }
            }
            return List.of(answers);
        });
    }

    @Override
    public CompletableFuture<List<IncreasedTopic>> createPartitions(
            List<PartitionIncrease> topics, boolean validateOnly) {
        List<CompletableFuture<IncreasedTopic>> answers = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (PartitionIncrease wanted : topics) {
            if (!seen.add(wanted.name())) {
                answers.add(CompletableFuture.completedFuture(new IncreasedTopic(
                        wanted.name(), Errors.INVALID_REQUEST, "the topic is named twice in one request")));
                continue;
            }
            answers.add(sessions.submit(new AddPartitions(wanted.name(), wanted.totalPartitions(), validateOnly))
                    .handle((outcome, failure) -> failure != null
                            ? new IncreasedTopic(
                                    wanted.name(), Errors.REQUEST_TIMED_OUT, "the controller cannot write now")
                            : increased(wanted, outcome)));
        }
        return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    private static IncreasedTopic increased(PartitionIncrease wanted, AddPartitions.Outcome outcome) {
        return switch (outcome.result()) {
            case ADDED -> new IncreasedTopic(wanted.name(), Errors.NONE, "");
            case UNKNOWN_TOPIC ->
                new IncreasedTopic(
                        wanted.name(),
                        Errors.UNKNOWN_TOPIC_OR_PARTITION,
                        "This server does not host this topic-partition.");
            case NOT_MORE ->
                new IncreasedTopic(
                        wanted.name(),
                        Errors.INVALID_PARTITIONS,
                        "The topic " + wanted.name() + " currently has " + outcome.before() + " partition(s); "
                                + wanted.totalPartitions() + " would not be an increase.");
            case TOO_MANY_PARTITIONS ->
                new IncreasedTopic(
                        wanted.name(),
                        Errors.INVALID_PARTITIONS,
                        "one request adds at most " + MAX_PARTITIONS + " partitions");
        };
    }

    @Override
    public DescribedConfigs describeConfigs(ConfigResource resource, @Nullable List<String> names) {
        return configs.describe(resource, names);
    }

    @Override
    public CompletableFuture<List<AlteredConfigs>> alterConfigs(
            List<ConfigAlteration> alterations, boolean validateOnly) {
        return configs.alter(alterations, validateOnly);
    }

    @Override
    public CompletableFuture<Long> newProducerId() {
        return producerIds.next();
    }
}
