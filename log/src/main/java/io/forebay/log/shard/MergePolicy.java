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
 * <p>{@code fanIn} neighbours are merged if the largest of them is at most a third of the whole (less with a fan-in below 4): so what a byte lies in grows to
 * at least three times its size each time the byte is rewritten, and to about {@code fanIn} times as a rule. Of several such groups the smallest
 * comes first. Segments of one partition are neighbours when no other holds offsets of it between them; segments of several
 * partitions are when they follow each other among their like. A segment of which more than half is no longer needed is rewritten
 * alone.
 */
final class MergePolicy {

    /** Smaller segments are not rewritten for what is no longer needed of them. */
    private static final long REWRITE_BYTES = 64 << 10;

    /** Neighbours are merged if the largest is at most one part in so many of the whole. */
    private static final int LARGEST_SHARE = 3;

    private final int fanIn;
    private final int largestShare;
    private final long largestBytes;

    MergePolicy(int fanIn, long largestBytes) {
        this.fanIn = fanIn;
        this.largestShare = Math.min(LARGEST_SHARE, fanIn - 1);
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
            if (usable && born > REWRITE_BYTES && segment.liveBytes() < born / 2) {
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

    /** Of all {@code fanIn} neighbours that may be merged those with the fewest bytes. */
    private List<SegmentEntry> window(List<SegmentEntry> ordered, Predicate<SegmentEntry> usable) {
        List<SegmentEntry> best = List.of();
        for (int from = 0; from + fanIn <= ordered.size(); from++) {
            List<SegmentEntry> window = ordered.subList(from, from + fanIn);
            long bytes = bytes(window);
            long largest =
                    window.stream().mapToLong(SegmentEntry::sizeBytes).max().orElse(0);
            if (bytes <= largestBytes
                    && largest * largestShare <= bytes
                    && window.stream().allMatch(usable)) {
                best = smaller(best, List.copyOf(window));
            }
        }
        return best;
    }
}
