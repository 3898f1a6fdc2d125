package io.forebay.cluster.control;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.formats.control.Attend;
import io.forebay.model.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which shards should move so that everybody has a fair share: by number for those that are new, by load for all. The rules stand in RFC 0007.
 *
 * <p>Remembers who is new, what was heard of loads, and which shards loads have moved lately: of no use to anybody but the planning. Owned by the control
 * loop.
 */
final class Balance {

    /** So long a session counts as new. */
    private static final long NEW_NANOS = ShardLoads.REST_NANOS;
    /** Shards that are on their way at a time, as parts of all shards. */
    private static final int NUMBER_PART = 8;

    private static final int LOAD_PART = 10;

    private final long floorBytes;
    private final ShardLoads loads = new ShardLoads();
    private final Map<Long, Long> newSince = new HashMap<>();
    private final Map<ShardId, Long> movedByLoad = new HashMap<>();

    Balance(ControlConfig config) {
        this.floorBytes = config.loadFloorBytes();
    }

    /** A session that had no chance to get shards before may get some from now on. */
    void begins(long session, long nowNanos) {
        newSince.put(session, nowNanos);
    }

    /** A member said what it does. */
    void heard(Attend report, long nowNanos) {
        loads.heard(report, nowNanos);
    }

    /** Shards that may be on their way at a time. */
    static int atATime(MetadataImage image) {
        return part(image, NUMBER_PART);
    }

    private static int part(MetadataImage image, int part) {
        return Math.max(1, Placement.shards(image).size() / part);
    }

    /**
     * What should begin to move now, with hysteresis.
     *
     * @param draining sessions that are about to end
     * @param wished all that somebody wants to move already
     */
    List<Moves.Move> steady(MetadataImage image, Set<Long> draining, List<Moves.Move> wished, long nowNanos) {
        newSince.values().removeIf(since -> nowNanos - since >= NEW_NANOS);
        movedByLoad.values().removeIf(since -> nowNanos - since >= ShardLoads.REST_NANOS);
        Plan plan = new Plan(image, draining, wished, loads::of);
        new NumberBalance(false, floorBytes)
                .choose(
                        plan,
                        newSince::containsKey,
                        shard -> movedByLoad.containsKey(shard.id()),
                        atATime(image) - wished.size());
        int byNumber = plan.chosen().size();
        LoadBalance.steady(floorBytes)
                .choose(plan, shard -> loads.rests(shard, nowNanos), part(image, LOAD_PART) - wished.size() - byNumber);
        List<Moves.Move> chosen = plan.chosen();
        chosen.subList(byNumber, chosen.size()).forEach(move -> movedByLoad.put(move.shard(), nowNanos));
        return chosen;
    }

    /** Everything that should move until nothing is better elsewhere, without hysteresis, however much that is. */
    List<Moves.Move> exact(MetadataImage image, Set<Long> draining, List<Moves.Move> wished) {
        Plan plan = new Plan(image, draining, wished, loads::of);
        LoadBalance.exact(floorBytes).choose(plan, shard -> false, Integer.MAX_VALUE);
        new NumberBalance(true, floorBytes).choose(plan, newSince::containsKey, shard -> false, Integer.MAX_VALUE);
        return plan.chosen();
    }
}
