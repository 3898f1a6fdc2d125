package io.forebay.log.shard;

import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import io.forebay.log.partition.PartitionState;
import io.forebay.log.partition.SegmentParts;
import io.forebay.model.LongMap;
import java.util.ArrayList;
import java.util.List;

/** Sorts the parts of a shard's segments by partition. */
final class ShardSegments {

    private ShardSegments() {}

    private static final class Gathered {
        final List<SegmentEntry> segments = new ArrayList<>();
        final List<SegmentPart> parts = new ArrayList<>();
    }

    /** What the segments hold of each partition. */
    static LongMap<SegmentParts> byPartition(List<SegmentEntry> segments) {
        LongMap<Gathered> gathered = new LongMap<>();
        for (SegmentEntry segment : segments) {
            for (SegmentPart part : segment.parts()) {
                Gathered of = gathered.get(part.partitionId());
                if (of == null) {
                    of = new Gathered();
                    gathered.put(part.partitionId(), of);
                }
                of.segments.add(segment);
                of.parts.add(part);
            }
        }
        LongMap<SegmentParts> byPartition = new LongMap<>();
        for (long partitionId : gathered.sortedKeys()) {
            Gathered of = gathered.get(partitionId);
            if (of != null) {
                byPartition.put(partitionId, new SegmentParts(of.segments, of.parts));
            }
        }
        return byPartition;
    }

    /** Gives each partition its parts. */
    static void install(Shard shard, List<SegmentEntry> segments) {
        LongMap<SegmentParts> byPartition = byPartition(segments);
        for (PartitionState partition : shard.states()) {
            SegmentParts parts = byPartition.get(partition.partitionId());
            partition.segments(parts == null ? SegmentParts.NONE : parts);
        }
    }
}
