package io.forebay.cluster.control;

import io.forebay.cluster.image.ShardImage;
import io.forebay.formats.control.Attend;
import io.forebay.formats.control.ShardEpoch;
import io.forebay.formats.control.ShardLoad;
import io.forebay.model.ShardId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What each shard's load is, as its owners said, across changes of owner: the mean of a new owner is young. As it is, it would jump with every few requests, and when loads
 * rise it would be far ahead of the means of shards that stayed; so the mean goes on under the new owner where it was under the one before. Owned by the control loop.
 */
final class ShardLoads {

    /** So long a shard stays where it is, as far as loads decide. */
    static final long REST_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The window of an owner's mean: what was before counts less and less within it. */
    private static final double WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long UNKNOWN = -1;

    private final Map<ShardId, Known> known = new HashMap<>();

    /**
     * One shard.
     *
     * @param load weighted bytes each second
     * @param before what it was when this ownership began to be seen; −1: nobody knows
     */
    private record Known(long epoch, long sinceNanos, long load, long before) {

        /** The mean as it would be if the owner had not changed. */
        long goesOn(long said, long nowNanos) {
            double past = before == UNKNOWN ? 0 : Math.exp((sinceNanos - nowNanos) / WINDOW_NANOS);
            return Math.round(past * before + (1 - past) * said);
        }
    }

    /** Follows what a member says of the shards that it has open. What it says of an epoch that is over is not news. */
    void heard(Attend report, long nowNanos) {
        Map<Integer, Long> loads = new HashMap<>();
        for (ShardLoad load : report.getLoadsList()) {
            loads.put(load.getShard(), load.getBytesPerSecond());
        }
        for (ShardEpoch open : report.getOpenList()) {
            ShardId id = new ShardId(open.getShard());
            long said = loads.getOrDefault(open.getShard(), 0L);
            Known last = known.get(id);
            if (last == null) {
                known.put(id, new Known(open.getEpoch(), nowNanos, said, UNKNOWN));
            } else if (open.getEpoch() > last.epoch()) {
                known.put(id, new Known(open.getEpoch(), nowNanos, last.load(), last.load()));
            } else if (open.getEpoch() == last.epoch()) {
                known.put(id, new Known(last.epoch(), last.sinceNanos(), last.goesOn(said, nowNanos), last.before()));
            }
        }
    }

    /** Weighted bytes each second. */
    long of(ShardId shard) {
        Known now = known.get(shard);
        return now == null ? 0 : now.load();
    }

    /** Whether the shard's owner is new, or not even seen yet: too early to judge by its load. */
    boolean rests(ShardImage shard, long nowNanos) {
        Known now = known.get(shard.id());
        return now == null || now.epoch() != shard.epoch() || nowNanos - now.sinceNanos() < REST_NANOS;
    }
}
