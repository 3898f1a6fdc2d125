package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.TopicIds;
import io.forebay.cluster.image.TopicImage;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.CommandReply;
import io.forebay.formats.control.CreateTopicsCommand;
import io.forebay.formats.control.CreateTopicsReply;
import io.forebay.formats.control.CreatedTopic;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Creates topics, each of them or not. Names and settings were checked before.
 *
 * @param validateOnly decide, but write nothing
 */
public record CreateTopics(List<NewTopic> topics, boolean validateOnly)
        implements NodeCommand<List<CreateTopics.Outcome>> {

    /** Most partitions that one command may create: bounds the size of its record batch. */
    public static final int MAX_PARTITIONS = 100_000;

    public CreateTopics {
        topics = List.copyOf(topics);
    }

    /** A topic to be. */
    public record NewTopic(String name, int partitions, boolean internal, Map<String, String> configs) {}

    /** What became of one. */
    public enum Result {
        CREATED,
        EXISTS,
        TOO_MANY_PARTITIONS
    }

    /**
     * The answer for one topic, in the order of the command.
     *
     * @param topic as created, or as it exists; a zero id if there is none
     */
    public record Outcome(Result result, TopicImage topic) {}

    @Override
    public Decision<List<Outcome>> decide(MetadataImage image, RandomGenerator random) {
        List<MetadataRecord> records = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        Map<String, TopicImage> created = new HashMap<>();
        long nextPartitionId = image.nextPartitionId();
        int room = MAX_PARTITIONS;
        for (NewTopic topic : topics) {
            TopicImage existing = created.getOrDefault(topic.name(), image.topic(topic.name()));
            if (existing != null) {
                outcomes.add(new Outcome(Result.EXISTS, existing));
                continue;
            }
            if (topic.partitions() > room) {
                TopicImage none =
                        new TopicImage(topic.name(), new UUID(0, 0), topic.internal(), List.of(), topic.configs());
                outcomes.add(new Outcome(Result.TOO_MANY_PARTITIONS, none));
                continue;
            }
            room -= topic.partitions();
            List<PartitionImage> partitions = place(image, 0, topic.partitions(), nextPartitionId, topic.internal());
            nextPartitionId += topic.partitions();
            TopicImage made = new TopicImage(
                    topic.name(), TopicIds.random(random), topic.internal(), partitions, topic.configs());
            created.put(topic.name(), made);
            outcomes.add(new Outcome(Result.CREATED, made));
            records.add(MetadataImage.topicRecord(made));
        }
        return new Decision<>(validateOnly ? List.of() : records, List.copyOf(outcomes));
    }

    /** Partition ids are dense, so taking shards in turn by id spreads partitions evenly. */
    static List<PartitionImage> place(
            MetadataImage image, int firstIndex, int endIndex, long firstPartitionId, boolean internal) {
        List<PartitionImage> partitions = new ArrayList<>();
        for (int index = firstIndex; index < endIndex; index++) {
            long partitionId = firstPartitionId + (index - firstIndex);
            ShardId shard = internal
                    ? ShardId.internal((int) (partitionId % image.internalShards()))
                    : ShardId.user((int) (partitionId % image.userShards()));
            partitions.add(new PartitionImage(index, partitionId, shard));
        }
        return partitions;
    }

    @Override
    public ClusterCommand encoded() {
        CreateTopicsCommand.Builder command = CreateTopicsCommand.newBuilder().setValidateOnly(validateOnly);
        topics.forEach(topic -> command.addTopics(io.forebay.formats.control.NewTopic.newBuilder()
                .setName(topic.name())
                .setPartitions(topic.partitions())
                .setInternal(topic.internal())
                .putAllConfigs(topic.configs())));
        return ClusterCommand.newBuilder().setCreateTopics(command).build();
    }

    static CreateTopics decoded(CreateTopicsCommand command) {
        return new CreateTopics(
                command.getTopicsList().stream()
                        .map(topic -> new NewTopic(
                                topic.getName(), topic.getPartitions(), topic.getInternal(), topic.getConfigsMap()))
                        .toList(),
                command.getValidateOnly());
    }

    @Override
    public CommandReply encodedReply(List<Outcome> outcomes) {
        CreateTopicsReply.Builder reply = CreateTopicsReply.newBuilder();
        outcomes.forEach(outcome -> reply.addTopics(CreatedTopic.newBuilder()
                .setResult(outcome.result().name())
                .setTopic(MetadataImage.topicRecord(outcome.topic()).getTopicCreated())));
        return CommandReply.newBuilder().setCreateTopics(reply).build();
    }

    @Override
    public List<Outcome> decodedReply(CommandReply reply) {
        return reply.getCreateTopics().getTopicsList().stream()
                .map(topic -> new Outcome(Result.valueOf(topic.getResult()), TopicImage.of(topic.getTopic())))
                .toList();
    }
}
