package io.forebay.log.manifest;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.store.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * What one shard consists of, as of one version. Immutable.
 *
 * @param session of the owner
 * @param released whether the owner gave the shard up; then no range is open
 * @param ranges in the order of their epochs; only the last may be open
 * @param segments for each partition in the order of its offsets
 * @param memories of partitions as of the start of the first range or later: each says how many of its last offsets the ranges hold. Empty if
 *     {@code snapshot} names an object that holds them
 * @param deletedPartitions ids that were deleted and may still have bytes in a range or segment
 */
public record Manifest(
        int shard,
        long version,
        long epoch,
        long session,
        boolean released,
        List<JournalRange> ranges,
        List<SegmentEntry> segments,
        List<PartitionMemory> memories,
        Optional<ObjectKey> snapshot,
        List<Long> deletedPartitions) {

    public Manifest {
        ranges = List.copyOf(ranges);
        segments = List.copyOf(segments);
        memories = List.copyOf(memories);
        deletedPartitions = List.copyOf(deletedPartitions);
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).to().isEmpty() && (released || i < ranges.size() - 1)) {
                throw new IllegalArgumentException("shard " + shard + ": range " + i + " of manifest " + version
                        + " is open, but " + (released ? "the shard is released" : "a later one exists"));
            }
            if (i > 0 && ranges.get(i - 1).epoch() >= ranges.get(i).epoch()) {
                throw new IllegalArgumentException("shard " + shard + ": ranges are not in order of their epochs");
            }
        }
    }

    /** Whether the file may hold frames of this shard that are not in segments. */
    public boolean needs(long journalSession, int lane, long file) {
        for (JournalRange range : ranges) {
            if (range.session() == journalSession && range.lane() == lane && range.touches(file)) {
                return true;
            }
        }
        return false;
    }

    /** Whether this manifest is the reason to keep the object. */
    public boolean names(ObjectKey key) {
        if (snapshot.isPresent() && snapshot.get().equals(key)) {
            return true;
        }
        for (SegmentEntry segment : segments) {
            if (segment.key().equals(key)) {
                return true;
            }
        }
        return false;
    }

    /** The version after this one, by the same owner, with other segments. */
    public Manifest withSegments(List<SegmentEntry> newSegments) {
        return new Manifest(
                shard,
                version + 1,
                epoch,
                session,
                released,
                ranges,
                newSegments,
                memories,
                snapshot,
                deletedPartitions);
    }

    /** The version after this one, by the same owner, with other ranges and all that goes with their new start. */
    public Manifest withRanges(
            boolean nowReleased,
            List<JournalRange> newRanges,
            List<PartitionMemory> newMemories,
            Optional<ObjectKey> newSnapshot) {
        return new Manifest(
                shard,
                version + 1,
                epoch,
                session,
                nowReleased,
                newRanges,
                segments,
                newMemories,
                newSnapshot,
                deletedPartitions);
    }

    /** The same version with other segments and deleted partitions. */
    public Manifest withContent(List<SegmentEntry> nowSegments, List<Long> nowDeleted) {
        return new Manifest(
                shard, version, epoch, session, released, ranges, nowSegments, memories, snapshot, nowDeleted);
    }
}
