package io.forebay.log.shard;

import io.forebay.log.journal.JournalPosition;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * Partitions of one shard that were deleted and may still have frames in its journal ranges, with the position in the own journal behind
 * which there are none. Owned by the shard loop.
 */
final class DeletedPartitions {

    /** Of partitions that earlier sessions have deleted: before everything in the own journal. */
    private static final JournalPosition PAST = new JournalPosition(-1, 0);
    /** The delete frame is on its way. */
    private static final JournalPosition NOT_DURABLE = new JournalPosition(Long.MAX_VALUE, 0);

    private final TreeMap<Long, JournalPosition> ends = new TreeMap<>();

    boolean contains(long partitionId) {
        return ends.containsKey(partitionId);
    }

    /** Ascending. */
    List<Long> ids() {
        return List.copyOf(ends.keySet());
    }

    /** Deleted by an earlier session, or replayed from its journal. */
    void addPast(Collection<Long> partitionIds) {
        partitionIds.forEach(id -> ends.put(id, PAST));
    }

    /** Deleted now; {@link #durable} follows. */
    void add(long partitionId) {
        ends.put(partitionId, NOT_DURABLE);
    }

    /** The delete frame ends at the position. */
    void durable(long partitionId, JournalPosition end) {
        ends.replace(partitionId, end);
    }

    /** Deleted by an earlier epoch of this session: its delete frame ends at the position. */
    void add(long partitionId, JournalPosition end) {
        ends.put(partitionId, end);
    }

    /** The ranges begin at a position of the own journal now. */
    void forgetBefore(JournalPosition from) {
        ends.values().removeIf(end -> end.compareTo(from) <= 0);
    }
}
