package io.forebay.broker.admin;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.jspecify.annotations.Nullable;

/** Administration in Kafka's terms. Thread-safe. Answers come after the change is durable and in {@code Broker.image()}. */
public interface Admin {

    /**
     * A topic to be.
     *
     * @param partitions −1: the broker's default
     *  @param replicationFactor accepted as given; the store replicates
     *  @param assignment number of partitions given by a manual assignment, 0: none */
    record TopicCreation(
            String name,
            int partitions,
            short replicationFactor,
            int assignment,
            Map<String, @Nullable String> configs) {}

    /**
     * What became of it.
     *
     * @param configs effective configuration, for the response (KIP-525) */
    record CreatedTopic(
            String name,
            Errors error,
            String message,
            UUID id,
            int partitions,
            short replicationFactor,
            List<ConfigEntry> configs) {}

    CompletableFuture<List<CreatedTopic>> createTopics(List<TopicCreation> topics, boolean validateOnly);

    record DeletedTopic(String name, UUID id, Errors error, String message) {}

    /** By name, or by id where the name is empty. */
    record TopicReference(String name, UUID id) {}

    CompletableFuture<List<DeletedTopic>> deleteTopics(List<TopicReference> topics);

    record PartitionIncrease(String name, int totalPartitions) {}

    record IncreasedTopic(String name, Errors error, String message) {}

    CompletableFuture<List<IncreasedTopic>> createPartitions(List<PartitionIncrease> topics, boolean validateOnly);

    /** One effective setting. */
    record ConfigEntry(
            String name,
            @Nullable String value,
            ConfigSource source,
            ConfigType type,
            boolean readOnly,
            boolean sensitive,
            List<ConfigSynonym> synonyms,
            String documentation) {}

    record ConfigSynonym(String name, @Nullable String value, ConfigSource source) {}

    record DescribedConfigs(ConfigResource resource, Errors error, String message, List<ConfigEntry> entries) {}

    /**
     * Effective settings, answered from the image.
     *
     * @param names null: all
     */
    DescribedConfigs describeConfigs(ConfigResource resource, @Nullable List<String> names);

    /** What to do with one setting. */
    enum ConfigOperation {
        SET,
        DELETE,
        APPEND,
        SUBTRACT
    }

    record ConfigChange(
            String name,
            ConfigOperation operation,
            @Nullable String value) {}

    /**
     * Changes to one resource.
     *
     * @param replaceAll AlterConfigs: what isn't named falls back to its default (all changes are SET) */
    record ConfigAlteration(ConfigResource resource, List<ConfigChange> changes, boolean replaceAll) {}

    record AlteredConfigs(ConfigResource resource, Errors error, String message) {}

    CompletableFuture<List<AlteredConfigs>> alterConfigs(List<ConfigAlteration> alterations, boolean validateOnly);

    /** A producer id that was never given out before. Fails only while the controller cannot write. */
    CompletableFuture<Long> newProducerId();
}
