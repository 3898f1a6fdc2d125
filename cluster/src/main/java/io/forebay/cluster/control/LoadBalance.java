package io.forebay.cluster.control;

import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Evens out how much sessions have to do. Pure.
 *
 * <p>A session whose load is far above the mean of those that may hold the kind gives shards to the one with the least, until it is near the mean. A move
 * leaves the receiver clearly below what the giver had: so the larger of the two falls with each move, nothing that changes by a tenth
 * turns it back, and a single hot shard stays where it is. Since the sum of the squares of all loads falls too, it comes to an end.
 *
 * @param above a session gives if it has more than this much of the mean
 * @param aboveBytes and at least this much more than the mean, weighted bytes each second: an idle cluster keeps still
 * @param receives a receiver has at most this much of what the giver had
 */
record LoadBalance(double above, long aboveBytes, double receives) {

    /** A giver stops here, as a part of the mean; also how much one that gets shards for their number may have. */
    private static final double NEAR = 1.05;

    /** Shards that are less than this part of what is too much are not worth a move. */
    private static final double WORTH = 0.001;

    /**
     * What is done all the time.
     *
     * @param floorBytes differences below it make no difference, in weighted bytes each second
     */
    static LoadBalance steady(long floorBytes) {
        return new LoadBalance(1.2, floorBytes, 0.8);
    }

    /** What is done on request. */
    static LoadBalance exact(long floorBytes) {
        return new LoadBalance(NEAR, floorBytes / 2, 1);
    }

    /** Load that a session may have after it was given a shard for other reasons than load: not enough to give anything away again. */
    static double roof(double mean, long floorBytes) {
        return Math.max(NEAR * mean, mean + floorBytes / 2.0);
    }

    /**
     * Chooses shards that should move.
     *
     * @param rests shards that stay where they are
     * @param most how many to choose at most
     */
    void choose(Plan plan, Predicate<ShardImage> rests, int most) {
        int room = most;
        for (boolean internal : new boolean[] {false, true}) {
            List<ShardImage> kind = plan.movable().stream()
                    .filter(shard -> shard.id().isInternal() == internal && plan.load(shard.id()) > 0)
                    .filter(rests.negate())
                    .toList();
            if (!kind.isEmpty()) {
                room -= chooseOf(kind, plan, room);
            }
        }
    }

    /** Returns how many were chosen. */
    private int chooseOf(List<ShardImage> kind, Plan plan, int most) {
        List<SessionImage> willing = plan.placement().willing(kind.get(0).id());
        double mean = plan.meanLoad(kind.get(0).id());
        Map<Long, List<ShardImage>> byOwner = new TreeMap<>();
        kind.forEach(shard -> byOwner.computeIfAbsent(shard.ownerSession(), s -> new ArrayList<>())
                .add(shard));
        List<Long> givers = byOwner.keySet().stream()
                .filter(session -> plan.loadOf(session) > Math.max(above * mean, mean + aboveBytes))
                .sorted(Comparator.comparingLong(plan::loadOf).reversed())
                .toList();
        int count = 0;
        for (long giver : givers) {
            List<ShardImage> left = byOwner.getOrDefault(giver, List.of());
            while (count < most && plan.loadOf(giver) > NEAR * mean) {
                long receiver = willing.stream()
                        .mapToLong(SessionImage::session)
                        .boxed()
                        .min(Comparator.comparingLong(plan::loadOf))
                        .orElse(giver);
                ShardImage best = best(left, plan, giver, receiver, mean);
                if (best == null) {
                    break;
                }
                plan.move(best, receiver);
                left.remove(best);
                count++;
            }
        }
        return count;
    }

    /** The shard that comes nearest to making both even with the mean; null if none makes it better. */
    private @Nullable ShardImage best(List<ShardImage> shards, Plan plan, long giver, long receiver, double mean) {
        double tooMuch = plan.loadOf(giver) - mean;
        double wanted = Math.min(tooMuch, mean - plan.loadOf(receiver));
        double roof = receives * plan.loadOf(giver);
        ShardImage best = null;
        double bestDistance = Double.MAX_VALUE;
        for (ShardImage shard : shards) {
            long load = plan.load(shard.id());
            double distance = Math.abs(load - wanted);
            if (load >= WORTH * tooMuch && plan.loadOf(receiver) + load < roof && distance < bestDistance) {
                best = shard;
                bestDistance = distance;
            }
        }
        return best;
    }
}
