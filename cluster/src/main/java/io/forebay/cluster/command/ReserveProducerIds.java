package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.metadata.IdsReserved;
import io.forebay.formats.metadata.MetadataRecord;
import java.util.List;
import java.util.random.RandomGenerator;

/** Reserves a block of producer ids. The reply is the first of {@code count}. */
public record ReserveProducerIds(int count) implements Command<Long> {

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
}
