package io.forebay.cluster.control;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Evens out how many shards sessions have. Pure. */
final class Balance {

    private static final int GOLDEN_RATIO = 0x9E3779B9;

    private Balance() {}

    /**
     * Shards that should move, from whoever has most of a class to whoever has fewest, until they differ by one at most.
     *
     * @param placement as it will be when all moves under way are done; counts what is chosen
     * @param moving shards that are on their way already
     * @param most how many to choose at most
     */
    static List<Moves.Move> byNumber(MetadataImage image, Placement placement, Collection<ShardId> moving, int most) {
        List<Moves.Move> chosen = new ArrayList<>();
        for (ShardImage shard : image.shards().stream()
                .sorted(Comparator.comparingInt(shard -> scattered(shard.id())))
                .toList()) {
            if (chosen.size() >= most) {
                break;
            }
            if (moving.contains(shard.id()) || !placement.isWilling(shard.ownerSession(), shard.id())) {
                continue;
            }
            List<SessionImage> willing = placement.willing(shard.id());
            int own = placement.count(shard.ownerSession(), shard.id());
            willing.stream()
                    .min(Comparator.comparingInt(session -> placement.count(session.session(), shard.id())))
                    .filter(target -> own - placement.count(target.session(), shard.id()) > 1)
                    .ifPresent(target -> {
                        placement.take(shard.id(), shard.ownerSession());
                        placement.give(shard.id(), target.session());
                        chosen.add(new Moves.Move(shard.id(), shard.epoch(), target.session()));
                    });
        }
        return chosen;
    }

    /** Neighbouring shards hold neighbouring partitions of a topic: taken in order, whole topics would go to one session. */
    private static int scattered(ShardId shard) {
        return shard.value() * GOLDEN_RATIO;
    }
}
