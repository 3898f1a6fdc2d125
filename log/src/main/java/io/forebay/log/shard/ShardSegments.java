package io.forebay.log.shard;

import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import io.forebay.log.partition.PartitionState;
import io.forebay.log.partition.SegmentParts;
import io.forebay.model.LongMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sorts the parts of a shard's segments by partition. */
final class ShardSegments {

    private ShardSegments() {}

    private record Piece(SegmentEntry segment, SegmentPart part) {}

    /** What the segments hold of each partition. */
    static LongMap<SegmentParts> byPartition(List<SegmentEntry> segments) {
        LongMap<List<Piece>> pieces = new LongMap<>();
        for (SegmentEntry segment : segments) {
            for (SegmentPart part : segment.parts()) {
                List<Piece> of = pieces.get(part.partitionId());
                if (of == null) {
                    of = new ArrayList<>();
                    pieces.put(part.partitionId(), of);
                }
                of.add(new Piece(segment, part));
            }
        }
        LongMap<SegmentParts> byPartition = new LongMap<>();
        for (long partitionId : pieces.sortedKeys()) {
            List<Piece> of = pieces.get(partitionId);
            if (of != null) {
                of.sort(Comparator.comparingLong(piece -> piece.part().firstOffset()));
                byPartition.put(
                        partitionId,
                        new SegmentParts(
                                of.stream().map(Piece::segment).toList(),
                                of.stream().map(Piece::part).toList()));
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
