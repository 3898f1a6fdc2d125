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
 * What each shard's load is, as its owners said, across changes of owner: the mean of a new owner is young, and a shard that seems to be idle because it
 * has just moved would draw more of its kind after it. Owned by the control loop.
 */
final class ShardLoads {

    /** So long a shard stays where it is, as far as loads decide. */
    static final long REST_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** So long the load under the owner before counts, if it was higher. */
    private static final long YOUNG_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Map<ShardId, Known> known = new HashMap<>();

    /**
     * One shard.
     *
     * @param load weighted bytes each second
     * @param before what it was when this ownership began to be seen
     */
    private record Known(long epoch, long sinceNanos, long load, long before) {}

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
                known.put(id, new Known(open.getEpoch(), nowNanos, said, 0));
            } else if (open.getEpoch() > last.epoch()) {
                known.put(id, new Known(open.getEpoch(), nowNanos, Math.max(said, last.load()), last.load()));
            } else if (open.getEpoch() == last.epoch()) {
                boolean young = nowNanos - last.sinceNanos() < YOUNG_NANOS;
                long load = young ? Math.max(said, last.before()) : said;
                known.put(id, new Known(last.epoch(), last.sinceNanos(), load, last.before()));
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
