package io.forebay.log.shard;

import io.forebay.log.manifest.SegmentEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Which segments to merge next. Pure.
 *
 * <p>Segments fall into classes by size, each {@code fanIn} times as large as the one below; as soon as {@code fanIn} neighbours are
 * of one class or below, they are merged, so each byte is rewritten about once per class. Segments of one partition are neighbours
 * when no other holds offsets of it between them; segments of several partitions are when they follow each other among their
 * like. A segment of which more than half is no longer needed is rewritten alone.
 */
final class MergePolicy {

    private static final long SMALLEST_CLASS_BYTES = 64 << 10;

    private final int fanIn;
    private final long largestBytes;

    MergePolicy(int fanIn, long largestBytes) {
        this.fanIn = fanIn;
        this.largestBytes = largestBytes;
    }

    /**
     * The segments to merge, in the order of the manifest; empty if there is nothing to do.
     *
     * @param excluded segments that cannot be merged
     * @param bornBytes how much of a segment was needed when it was made
     */
    List<SegmentEntry> choose(
            List<SegmentEntry> segments, Set<String> excluded, ToLongFunction<SegmentEntry> bornBytes) {
        List<SegmentEntry> mixed = new ArrayList<>();
        Map<Long, List<SegmentEntry>> byPartition = new TreeMap<>();
        for (SegmentEntry segment : segments) {
            boolean usable = !excluded.contains(segment.key().value());
            long born = bornBytes.applyAsLong(segment);
            if (usable && born > SMALLEST_CLASS_BYTES && segment.liveBytes() < born / 2) {
                return List.of(segment);
            }
            if (segment.parts().size() > 1) {
                mixed.add(segment);
            }
            for (var part : segment.parts()) {
                byPartition
                        .computeIfAbsent(part.partitionId(), id -> new ArrayList<>())
                        .add(segment);
            }
        }
        Predicate<SegmentEntry> usable =
                segment -> !excluded.contains(segment.key().value());
        List<SegmentEntry> best = window(mixed, usable);
        for (Map.Entry<Long, List<SegmentEntry>> one : byPartition.entrySet()) {
            long id = one.getKey();
            List<SegmentEntry> ordered = new ArrayList<>(one.getValue());
            ordered.sort((a, b) -> Long.compare(firstOffset(a, id), firstOffset(b, id)));
            best = smaller(
                    best, window(ordered, usable.and(segment -> segment.parts().size() == 1)));
        }
        return best;
    }

    private static long firstOffset(SegmentEntry segment, long partitionId) {
        for (var part : segment.parts()) {
            if (part.partitionId() == partitionId) {
                return part.firstOffset();
            }
        }
        throw new IllegalStateException(segment.key() + " holds nothing of partition " + partitionId);
    }

    private static List<SegmentEntry> smaller(List<SegmentEntry> one, List<SegmentEntry> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return bytes(other) < bytes(one) ? other : one;
    }

    private static long bytes(List<SegmentEntry> segments) {
        return segments.stream().mapToLong(SegmentEntry::sizeBytes).sum();
    }

    /** The first neighbours of the lowest class that has enough of them. */
    private List<SegmentEntry> window(List<SegmentEntry> ordered, Predicate<SegmentEntry> usable) {
        int highest = sizeClass(largestBytes / fanIn);
        for (int limit = 0; limit <= highest; limit++) {
            List<SegmentEntry> run = new ArrayList<>();
            long bytes = 0;
            for (SegmentEntry segment : ordered) {
                if (usable.test(segment) && sizeClass(segment.sizeBytes()) <= limit) {
                    run.add(segment);
                    bytes += segment.sizeBytes();
                    if (run.size() == fanIn) {
                        return bytes <= largestBytes * 2 ? run : List.of();
                    }
                } else {
                    run.clear();
                    bytes = 0;
                }
            }
        }
        return List.of();
    }

    private int sizeClass(long bytes) {
        int sizeClass = 0;
        long limit = SMALLEST_CLASS_BYTES * fanIn;
        while (bytes >= limit && sizeClass < 30) {
            sizeClass++;
            limit *= fanIn;
        }
        return sizeClass;
    }
}
