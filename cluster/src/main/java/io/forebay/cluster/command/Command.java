package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.metadata.MetadataRecord;
import java.util.List;
import java.util.random.RandomGenerator;

/** Something the controller decides. */
@FunctionalInterface
public interface Command<T> {

    /** What follows from the image. Pure, apart from chance that is passed in. */
    Decision<T> decide(MetadataImage image, RandomGenerator random);

    /**
     * Records to write, and what to answer when they are durable.
     *
     * @param records applied whole or not at all; none: answered as soon as the image it was decided on is durable
     */
    record Decision<T>(List<MetadataRecord> records, T reply) {
        public Decision {
            records = List.copyOf(records);
        }
    }
}
