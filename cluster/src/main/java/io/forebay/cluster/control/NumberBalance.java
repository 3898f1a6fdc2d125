package io.forebay.cluster.control;

import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.model.ShardId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Evens out how many shards sessions have. Pure.
 *
 * <p>A session that is new gets shards from whoever has most of a kind until they differ by one at most. Among the others numbers may differ by a quarter and two,
 * because what load decided need not be even by number. Who gets a shard for its number stays near the mean load, so that load need not turn it back; only one that is new gets
 * the rest of its number in any case, after those that it can bear.
 *
 * @param exact whether all numbers differ by one at most, as far as load allows
 * @param floorBytes differences of load below it make no difference, in weighted bytes each second
 */
record NumberBalance(boolean exact, long floorBytes) {

    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /**
     * Chooses shards that should move.
     *
     * @param isNew whether a session has just begun to take shards
     * @param rests shards that stay where they are
     * @param most how many to choose at most
     */
    void choose(Plan plan, LongPredicate isNew, Predicate<ShardImage> rests, int most) {
        List<ShardImage> scattered = plan.movable().stream()
                .filter(rests.negate())
                .sorted(Comparator.comparingInt(shard -> scattered(shard.id())))
                .toList();
        int room = choose(plan, scattered, session -> false, isNew, most);
        List<ShardImage> left =
                scattered.stream().filter(shard -> !plan.isMoving(shard)).toList();
        int unused = choose(plan, left, isNew, isNew, room);
    }

    /** Returns for how many there is room still. */
    private int choose(Plan plan, List<ShardImage> shards, LongPredicate bearsAll, LongPredicate isNew, int most) {
        int room = most;
        for (ShardImage shard : shards) {
            if (room <= 0) {
                return room;
            }
            Optional<SessionImage> target = plan.placement().willing(shard.id()).stream()
                    .filter(session -> shouldMove(plan, shard, session.session(), bearsAll, isNew))
                    .min(Comparator.comparingInt(session -> plan.placement().count(session.session(), shard.id())));
            if (target.isPresent()) {
                plan.move(shard, target.get().session());
                room--;
            }
        }
        return room;
    }

    private boolean shouldMove(Plan plan, ShardImage shard, long to, LongPredicate bearsAll, LongPredicate isNew) {
        int own = plan.placement().count(shard.ownerSession(), shard.id());
        int gap = own - plan.placement().count(to, shard.id());
        if (gap <= 1) {
            return false;
        }
        long load = plan.load(shard.id());
        boolean bearable = load == 0
                || bearsAll.test(to)
                || plan.loadOf(to) + load <= LoadBalance.roof(plan.meanLoad(shard.id()), floorBytes);
        return (exact || isNew.test(to) || gap > 2 + own / 4) && bearable;
    }

    /** Neighbouring shards hold neighbouring partitions of a topic: taken in order, whole topics would go to one session. */
    private static int scattered(ShardId shard) {
        return shard.value() * GOLDEN_RATIO;
    }
}
