package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.TopicIds;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.CommandReply;
import io.forebay.formats.control.DeleteTopicsCommand;
import io.forebay.formats.control.DeleteTopicsReply;
import io.forebay.formats.metadata.MetadataRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Deletes topics. The reply says for each whether it was there. */
public record DeleteTopics(List<UUID> ids) implements NodeCommand<List<Boolean>> {

    public DeleteTopics {
        ids = List.copyOf(ids);
    }

    @Override
    public Decision<List<Boolean>> decide(MetadataImage image, RandomGenerator random) {
        List<MetadataRecord> records = new ArrayList<>();
        List<Boolean> found = new ArrayList<>();
        Set<UUID> seen = new HashSet<>();
        for (UUID id : ids) {
            boolean there = image.topic(id) != null && seen.add(id);
            found.add(there);
            if (there) {
                records.add(MetadataImage.deletion(id));
            }
        }
        return new Decision<>(records, List.copyOf(found));
    }

    @Override
    public ClusterCommand encoded() {
        return ClusterCommand.newBuilder()
                .setDeleteTopics(DeleteTopicsCommand.newBuilder()
                        .addAllIds(ids.stream().map(TopicIds::toBytes).toList()))
                .build();
    }

    static DeleteTopics decoded(DeleteTopicsCommand command) {
        return new DeleteTopics(
                command.getIdsList().stream().map(TopicIds::fromBytes).toList());
    }

    @Override
    public CommandReply encodedReply(List<Boolean> found) {
        return CommandReply.newBuilder()
                .setDeleteTopics(DeleteTopicsReply.newBuilder().addAllFound(found))
                .build();
    }

    @Override
    public List<Boolean> decodedReply(CommandReply reply) {
        return reply.getDeleteTopics().getFoundList();
    }
}
