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
 * because what load decided need not be even by number; and who gets a shard for its number stays near the mean load, so that load need not turn it back.
 *
 * @param exact whether all numbers differ by one at most, as far as load allows
 */
record NumberBalance(boolean exact) {

    private static final int GOLDEN_RATIO = 0x9E3779B9;

    /** What is done all the time. */
    static final NumberBalance STEADY = new NumberBalance(false);

    /** What is done on request. */
    static final NumberBalance EXACT = new NumberBalance(true);

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
        int room = most;
        for (ShardImage shard : scattered) {
            if (room <= 0) {
                return;
            }
            Optional<SessionImage> target = plan.placement().willing(shard.id()).stream()
                    .filter(session -> shouldMove(plan, shard, session.session(), isNew))
                    .min(Comparator.comparingInt(session -> plan.placement().count(session.session(), shard.id())));
            if (target.isPresent()) {
                plan.move(shard, target.get().session());
                room--;
            }
        }
    }

    private boolean shouldMove(Plan plan, ShardImage shard, long to, LongPredicate isNew) {
        int own = plan.placement().count(shard.ownerSession(), shard.id());
        int gap = own - plan.placement().count(to, shard.id());
        if (gap <= 1) {
            return false;
        }
        if (isNew.test(to)) {
            return true;
        }
        long load = plan.load(shard.id());
        boolean bearable = load == 0 || plan.loadOf(to) + load <= LoadBalance.roof(plan.meanLoad(shard.id()));
        return (exact || gap > 2 + own / 4) && bearable;
    }

    /** Neighbouring shards hold neighbouring partitions of a topic: taken in order, whole topics would go to one session. */
    private static int scattered(ShardId shard) {
        return shard.value() * GOLDEN_RATIO;
    }
}
