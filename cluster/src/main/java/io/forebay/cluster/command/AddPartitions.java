package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.formats.control.AddPartitionsCommand;
import io.forebay.formats.control.AddPartitionsReply;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.CommandReply;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Raises the number of a topic's partitions.
 *
 * @param total how many there shall be
 */
public record AddPartitions(String topic, int total, boolean validateOnly)
        implements NodeCommand<AddPartitions.Outcome> {

    /**
     * What became of it.
     *
     * @param before how many there were
     */
    public record Outcome(Result result, int before) {}

    /** What became of it. */
    public enum Result {
        ADDED,
        UNKNOWN_TOPIC,
        NOT_MORE,
        TOO_MANY_PARTITIONS
    }

    @Override
    public Decision<Outcome> decide(MetadataImage image, RandomGenerator random) {
        TopicImage existing = image.topic(topic);
        if (existing == null) {
            return new Decision<>(List.of(), new Outcome(Result.UNKNOWN_TOPIC, 0));
        }
        int before = existing.partitions().size();
        if (total <= before) {
            return new Decision<>(List.of(), new Outcome(Result.NOT_MORE, before));
        }
        if (total - before > CreateTopics.MAX_PARTITIONS) {
            return new Decision<>(List.of(), new Outcome(Result.TOO_MANY_PARTITIONS, before));
        }
        Outcome added = new Outcome(Result.ADDED, before);
        if (validateOnly) {
            return new Decision<>(List.of(), added);
        }
        var partitions = CreateTopics.place(image, before, total, image.nextPartitionId(), existing.internal());
        return new Decision<>(List.of(MetadataImage.partitionsRecord(existing.id(), partitions)), added);
    }

    @Override
    public ClusterCommand encoded() {
        return ClusterCommand.newBuilder()
                .setAddPartitions(AddPartitionsCommand.newBuilder()
                        .setTopic(topic)
                        .setTotal(total)
                        .setValidateOnly(validateOnly))
                .build();
    }

    static AddPartitions decoded(AddPartitionsCommand command) {
        return new AddPartitions(command.getTopic(), command.getTotal(), command.getValidateOnly());
    }

    @Override
    public CommandReply encodedReply(Outcome outcome) {
        return CommandReply.newBuilder()
                .setAddPartitions(AddPartitionsReply.newBuilder()
                        .setResult(outcome.result().name())
                        .setBefore(outcome.before()))
                .build();
    }

    @Override
    public Outcome decodedReply(CommandReply reply) {
        AddPartitionsReply outcome = reply.getAddPartitions();
        return new Outcome(Result.valueOf(outcome.getResult()), outcome.getBefore());
    }
}
