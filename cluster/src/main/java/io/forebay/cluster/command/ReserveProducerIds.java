package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.CommandReply;
import io.forebay.formats.control.ReserveProducerIdsCommand;
import io.forebay.formats.metadata.IdsReserved;
import io.forebay.formats.metadata.MetadataRecord;
import java.util.List;
import java.util.random.RandomGenerator;

/** Reserves a block of producer ids. The reply is the first of {@code count}. */
public record ReserveProducerIds(int count) implements NodeCommand<Long> {

    public ReserveProducerIds {
        if (count <= 0) {
            throw new IllegalArgumentException("a block holds at least one id, not " + count);
        }
    }

    @Override
    public Decision<Long> decide(MetadataImage image, RandomGenerator random) {
        long first = image.nextProducerId();
        MetadataRecord record = MetadataRecord.newBuilder()
                .setIdsReserved(IdsReserved.newBuilder().setNextProducerId(Math.addExact(first, count)))
                .build();
        return new Decision<>(List.of(record), first);
    }

    @Override
    public ClusterCommand encoded() {
        return ClusterCommand.newBuilder()
                .setReserveProducerIds(ReserveProducerIdsCommand.newBuilder().setCount(count))
                .build();
    }

    @Override
    public CommandReply encodedReply(Long first) {
        return CommandReply.newBuilder().setReserveProducerIds(first).build();
    }

    @Override
    public Long decodedReply(CommandReply reply) {
        return reply.getReserveProducerIds();
    }
}
