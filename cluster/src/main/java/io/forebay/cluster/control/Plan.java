package io.forebay.cluster.control;

import io.forebay.cluster.command.AssignShards;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** What each session will have, by number and by load, once all that is under way or chosen here is done. Lives for one round of balance. */
final class Plan {

    private final MetadataImage image;
    private final Placement placement;
    private final ToLongFunction<ShardId> load;
    private final Map<Long, Long> loads = new HashMap<>();
    private final Set<ShardId> moving = new HashSet<>();
    private final List<Moves.Move> chosen = new ArrayList<>();

    /**
     * Begins a plan.
     *
     * @param draining sessions that are about to end
     * @param wished moves that somebody wants already
     * @param load weighted bytes each second of a shard
     */
    Plan(MetadataImage image, Set<Long> draining, Collection<Moves.Move> wished, ToLongFunction<ShardId> load) {
        this.image = image;
        this.placement = new Placement(image, draining);
        this.load = load;
        for (ShardImage shard : image.shards()) {
            loads.merge(shard.ownerSession(), load(shard.id()), Long::sum);
        }
        for (Moves.Move move : wished) {
            ShardImage shard = image.shard(move.shard());
            if (shard != null) {
                moving.add(move.shard());
                if (move.to() != AssignShards.ANYBODY) {
                    count(shard, move.to());
                }
            }
        }
    }

    private void count(ShardImage shard, long to) {
        placement.take(shard.id(), shard.ownerSession());
        placement.give(shard.id(), to);
        loads.merge(shard.ownerSession(), -load(shard.id()), Long::sum);
        loads.merge(to, load(shard.id()), Long::sum);
    }

    /** Chooses a shard that is not on its way yet, to go to a session. */
    void move(ShardImage shard, long to) {
        if (!moving.add(shard.id())) {
            throw new IllegalStateException("shard " + shard.id() + " is on its way already");
        }
        count(shard, to);
        chosen.add(new Moves.Move(shard.id(), shard.epoch(), to));
    }

    List<Moves.Move> chosen() {
        return List.copyOf(chosen);
    }

    boolean isMoving(ShardImage shard) {
        return moving.contains(shard.id());
    }

    /** All shards that may be moved: nobody moves them yet, and their owners keep what they have. */
    List<ShardImage> movable() {
        return image.shards().stream()
                .filter(shard -> !moving.contains(shard.id()) && placement.isWilling(shard.ownerSession(), shard.id()))
                .toList();
    }

    Placement placement() {
        return placement;
    }

    /** Weighted bytes each second of a shard. */
    long load(ShardId shard) {
        return load.applyAsLong(shard);
    }

    /** Weighted bytes each second of all that a session will have. */
    long loadOf(long session) {
        return loads.getOrDefault(session, 0L);
    }

    /** Mean load of those that may hold the shard and want to, in weighted bytes each second. */
    double meanLoad(ShardId shard) {
        return placement.willing(shard).stream()
                .mapToLong(SessionImage::session)
                .map(this::loadOf)
                .average()
                .orElse(0);
    }
}
