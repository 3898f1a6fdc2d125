package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Gives shards that their owners have released to others. One whose epoch has grown meanwhile is left alone. The reply says how many were given.
 *
 * @param draining sessions that are about to end
 */
public record AssignShards(List<Released> released, Set<Long> draining) implements Command<Integer> {

    /** Stands for whoever has the fewest. */
    public static final long ANYBODY = -1;

    /**
     * A shard that was given up.
     *
     * @param epoch of the ownership that is over
     * @param to session that should own it next; {@link #ANYBODY}: chosen by number
     */
    public record Released(ShardId shard, long epoch, long to) {}

    public AssignShards {
        released = List.copyOf(released);
        draining = Set.copyOf(draining);
    }

    @Override
    public Decision<Integer> decide(MetadataImage image, RandomGenerator random) {
        Placement placement = new Placement(image, draining);
        List<MetadataRecord> records = new ArrayList<>();
        for (Released one : released) {
            ShardImage now = image.shard(one.shard());
            if (now != null && now.epoch() == one.epoch()) {
                placement.take(one.shard(), now.ownerSession());
                owner(image, placement, one)
                        .ifPresent(owner -> records.add(Placement.assignment(now.epoch() + 1, one.shard(), owner)));
            }
        }
        return new Decision<>(records, records.size());
    }

    private static Optional<SessionImage> owner(MetadataImage image, Placement placement, Released one) {
        SessionImage wanted = image.session(one.to());
        if (wanted != null && placement.isWilling(one.to(), one.shard())) {
            placement.give(one.shard(), one.to());
            return Optional.of(wanted);
        }
        return placement.choose(one.shard());
    }
}
