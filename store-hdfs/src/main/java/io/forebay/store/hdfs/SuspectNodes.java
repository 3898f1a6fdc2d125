package io.forebay.store.hdfs;

import io.forebay.model.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DataNodes that new files leave out for a while, because they were lost from a file or did not answer. Thread-safe.
 *
 * <p>A hint and no more: the NameNode finds out about dead DataNodes by itself, only much later. When too few are left without them,
 * those suspected for longest are used again: some of them may be back, while the newest suspicion is fresh.
 */
final class SuspectNodes {

    private static final Logger LOG = LoggerFactory.getLogger(SuspectNodes.class);

    /** By then the NameNode knows of one that is dead, and one that was slow may have got over it. */
    static final long LEFT_OUT_MS = 60_000;

    private final Clock clock;
    private final Object lock = new Object();
    /** Until when, on the clock's monotonic time. Guarded by {@link #lock}. */
    private final Map<DatanodeInfo, Long> untilNanos = new HashMap<>();

    SuspectNodes(Clock clock) {
        this.clock = clock;
    }

    void add(Collection<DatanodeInfo> nodes) {
        synchronized (lock) {
            for (DatanodeInfo node : nodes) {
                if (untilNanos.put(node, clock.nanos() + LEFT_OUT_MS * 1_000_000) == null) {
                    LOG.warn("DataNode {} is left out of new files for {} s", node.getXferAddr(), LEFT_OUT_MS / 1_000);
                }
            }
        }
    }

    List<DatanodeInfo> current() {
        synchronized (lock) {
            long now = clock.nanos();
            untilNanos.values().removeIf(until -> until - now <= 0);
            return List.copyOf(untilNanos.keySet());
        }
    }

    /** Forgives the older half, after a file could not be placed well without them. */
    void forgiveOlder() {
        synchronized (lock) {
            List<DatanodeInfo> oldestFirst = new ArrayList<>(current());
            oldestFirst.sort(Comparator.comparing(node -> untilNanos.getOrDefault(node, 0L) - clock.nanos()));
            for (DatanodeInfo node : oldestFirst.subList(0, (oldestFirst.size() + 1) / 2)) {
                LOG.info("DataNode {} is used again: there are too few others", node.getXferAddr());
                untilNanos.remove(node);
            }
        }
    }
}
