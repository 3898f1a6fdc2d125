package io.forebay.kafka.fake;

import io.forebay.broker.admin.Admin;
import io.forebay.cluster.image.TopicImage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.jspecify.annotations.Nullable;

/** Administration of the fake broker: enough to see that questions and answers pass. Thread-safe. */
final class FakeAdmin implements Admin {

    private static final UUID NO_ID = new UUID(0, 0);

    private final FakeBroker broker;
    private final AtomicLong producerIds = new AtomicLong(1000);

    FakeAdmin(FakeBroker broker) {
        this.broker = broker;
    }

    @Override
    public CompletableFuture<List<CreatedTopic>> createTopics(List<TopicCreation> topics, boolean validateOnly) {
        List<CreatedTopic> created = new ArrayList<>();
        for (TopicCreation topic : topics) {
            int partitions = topic.partitions() < 0 ? 1 : topic.partitions();
            if (broker.image().topic(topic.name()) != null) {
                created.add(new CreatedTopic(
                        topic.name(), Errors.TOPIC_ALREADY_EXISTS, "there", NO_ID, -1, (short) -1, List.of()));
                continue;
            }
            UUID id = validateOnly ? NO_ID : broker.create(topic.name(), partitions);
            created.add(new CreatedTopic(
                    topic.name(), Errors.NONE, "", id, partitions, (short) 1, List.of(entry("retention.ms", "7"))));
        }
        return CompletableFuture.completedFuture(created);
    }

    @Override
    public CompletableFuture<List<DeletedTopic>> deleteTopics(List<TopicReference> topics) {
        List<DeletedTopic> deleted = new ArrayList<>();
        for (TopicReference topic : topics) {
            TopicImage known = topic.name().isEmpty()
                    ? broker.image().topic(topic.id())
                    : broker.image().topic(topic.name());
            if (known == null) {
                Errors error = topic.name().isEmpty() ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
                deleted.add(new DeletedTopic(topic.name(), topic.id(), error, ""));
            } else {
                broker.delete(known.name());
                deleted.add(new DeletedTopic(known.name(), known.id(), Errors.NONE, ""));
            }
        }
        return CompletableFuture.completedFuture(deleted);
    }

    @Override
    public CompletableFuture<List<IncreasedTopic>> createPartitions(
            List<PartitionIncrease> topics, boolean validateOnly) {
        return CompletableFuture.completedFuture(topics.stream()
                .map(topic -> new IncreasedTopic(topic.name(), Errors.NONE, ""))
                .toList());
    }

    private static ConfigEntry entry(String name, String value) {
        return new ConfigEntry(
                name,
                value,
                ConfigSource.DEFAULT_CONFIG,
                ConfigType.LONG,
                false,
                false,
                List.of(new ConfigSynonym("log." + name, value, ConfigSource.DEFAULT_CONFIG)),
                "documented");
    }

    @Override
    public DescribedConfigs describeConfigs(ConfigResource resource, @Nullable List<String> names) {
        return new DescribedConfigs(resource, Errors.NONE, "", List.of(entry("retention.ms", "7")));
    }

    @Override
    public CompletableFuture<List<AlteredConfigs>> alterConfigs(
            List<ConfigAlteration> alterations, boolean validateOnly) {
        return CompletableFuture.completedFuture(alterations.stream()
                .map(alteration -> new AlteredConfigs(alteration.resource(), Errors.NONE, ""))
                .toList());
    }

    @Override
    public CompletableFuture<Long> newProducerId() {
        return CompletableFuture.completedFuture(producerIds.getAndIncrement());
    }
}
