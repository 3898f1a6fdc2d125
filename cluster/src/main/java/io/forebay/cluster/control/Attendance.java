package io.forebay.cluster.control;

import io.forebay.formats.control.Attend;
import io.forebay.formats.control.ShardEpoch;
import io.forebay.formats.control.ShardLoad;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the controller heard last of one session. Owned by the control loop. */
final class Attendance {

    private long heardNanos;
    private boolean draining;
    private boolean serves;
    private @Nullable Asker asker;
    private boolean hungUp;
    private long hungUpNanos;
    private boolean proven;
    private long provenNanos;
    private List<ShardEpoch> open = List.of();
    private final Map<Integer, Long> released = new HashMap<>();
    private final Map<Integer, Long> told = new HashMap<>();
    private Map<Integer, Long> loads = Map.of();

    Attendance(long nowNanos) {
        heardNanos = nowNanos;
        provenNanos = nowNanos;
    }

    void heard(long nowNanos, Attend report) {
        heardNanos = nowNanos;
        hungUp = false;
        draining |= report.getDraining();
        serves |= report.getServes();
        proven = report.getProofAgeMs() >= 0;
        if (proven) {
            provenNanos = Math.max(provenNanos, nowNanos - report.getProofAgeMs() * 1_000_000);
        }
        open = report.getOpenList();
        released.clear();
        report.getReleasedList().forEach(shard -> released.put(shard.getShard(), shard.getEpoch()));
        Map<Integer, Long> newLoads = new HashMap<>();
        for (ShardLoad load : report.getLoadsList()) {
            newLoads.put(load.getShard(), load.getBytesPerSecond());
        }
        loads = newLoads;
    }

    /** Time begins anew: the controller itself stood still. */
    void excuse(long nowNanos) {
        heardNanos = nowNanos;
        hungUpNanos = nowNanos;
        provenNanos = nowNanos;
    }

    /** Notes over which connection it asks; true if that is another than before. */
    boolean asksOver(Asker connection) {
        boolean another = asker != connection;
        asker = connection;
        return another;
    }

    /** A connection is closed; that counts if it asked over it last. */
    void hungUp(Asker connection, long nowNanos) {
        if (asker == connection) {
            hungUp = true;
            hungUpNanos = nowNanos;
        }
    }

    /**
     * Whether it counts as dead. One that has hung up asks again at once if it lives, so less time is needed to believe that it does not.
     *
     * @param timeoutNanos session time-out
     */
    boolean isDead(long nowNanos, long timeoutNanos) {
        return silentNanos(nowNanos) > timeoutNanos || (hungUp && nowNanos - hungUpNanos > timeoutNanos / 3);
    }

    long silentNanos(long nowNanos) {
        return nowNanos - heardNanos;
    }

    boolean draining() {
        return draining;
    }

    /** Whether clients can reach it. */
    boolean serves() {
        return serves;
    }

    /** Whether it says that its session was proven by the store at all. */
    boolean proven() {
        return proven;
    }

    /** Since the store proved last that its session goes on, as far as it says; since it began, if never. */
    long unprovenNanos(long nowNanos) {
        return nowNanos - provenNanos;
    }

    List<ShardEpoch> open() {
        return open;
    }

    /** Shards that it has given up, and the epochs of that. */
    Map<Integer, Long> released() {
        return released;
    }

    boolean hasReleased(int shard, long epoch) {
        return released.getOrDefault(shard, -1L) == epoch;
    }

    /** Notes that it was told to release a shard. */
    void tell(int shard, long epoch) {
        told.put(shard, epoch);
    }

    /** Whether it was told that before; it is told again with every answer, but none is given for that alone. */
    boolean wasTold(int shard, long epoch) {
        return told.getOrDefault(shard, -1L) == epoch;
    }

    /** Weighted bytes each second, by shard. */
    Map<Integer, Long> loads() {
        return loads;
    }
}
