package io.forebay.log.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import io.forebay.store.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MergePolicyTest {

    private static final long MIB = 1 << 20;

    private final MergePolicy policy = new MergePolicy(4, 1 << 30);

    @Test
    void mergesNeighboursOfOneSize() {
        List<SegmentEntry> segments = List.of(
                own("a", 64 * MIB, 0), own("b", MIB, 10), own("c", MIB, 20), own("d", MIB, 30), own("e", MIB, 40));

        assertEquals(segments.subList(1, 5), choose(segments, Set.of()));
        assertEquals(List.of(), choose(segments.subList(0, 4), Set.of()));
    }

    @Test
    void leavesDamagedSegmentsAlone() {
        List<SegmentEntry> segments =
                List.of(own("a", MIB, 0), own("b", MIB, 10), own("c", MIB, 20), own("d", MIB, 30));

        assertEquals(List.of(), choose(segments, Set.of("c")));
    }

    @Test
    void rewritesEachByteOnlyAFewTimes() {
        List<SegmentEntry> segments = new ArrayList<>();
        long flushed = 0;
        long rewritten = 0;
        for (int i = 0; i < 4_096; i++) {
            segments.add(own("flushed-" + i, 100_000, i * 10L));
            flushed += 100_000;
            for (List<SegmentEntry> chosen = choose(segments, Set.of()); !chosen.isEmpty(); ) {
                long bytes = chosen.stream().mapToLong(SegmentEntry::sizeBytes).sum();
                int at = segments.indexOf(chosen.get(0));
                long first = chosen.get(0).parts().get(0).firstOffset();
                segments.removeAll(chosen);
                segments.add(at, own("merged-" + rewritten, bytes, first));
                rewritten += bytes;
                chosen = choose(segments, Set.of());
            }
        }
        // What a byte lies in grows at least threefold each time: log3(4096) = 7.6.
        assertTrue(rewritten <= 7 * flushed, rewritten + " bytes rewritten of " + flushed);
        assertTrue(segments.size() <= 30, segments.size() + " segments");
    }

    @Test
    void keepsRunsApartThatAnotherSegmentDivides() {
        SegmentEntry early = mixed("early", part(1, 0, 10), part(2, 0, 10));
        SegmentEntry between = mixed("between", part(1, 10, 20));
        SegmentEntry late = mixed("late", part(1, 20, 30), part(2, 10, 20));

        List<MergeOutput> outputs =
                MergePlan.outputs(List.of(early, between, late), List.of(early, late), id -> 0, 1 << 30);

        assertEquals(2, outputs.size());
        assertEquals(
                List.of("early"),
                outputs.get(0).parts().stream()
                        .map(in -> in.segment().key().value())
                        .toList());
        assertEquals(
                List.of("late", "early", "late"),
                outputs.get(1).parts().stream()
                        .map(in -> in.segment().key().value())
                        .toList());
    }

    @Test
    void givesABigPartitionASegmentOfItsOwnAndDropsWhatIsTrimmed() {
        SegmentEntry one = mixed("one", part(1, 0, 10), part(2, 0, 10), part(3, 0, 10));
        SegmentEntry other = mixed("other", part(1, 10, 20), part(2, 10, 20), part(3, 10, 20));

        List<MergeOutput> outputs = MergePlan.outputs(
                List.of(one, other), List.of(one, other), id -> id == 1 ? 0 : id == 2 ? 12 : -1, 2_000);

        assertEquals(2, outputs.size());
        assertEquals(2, outputs.get(0).parts().size());
        assertEquals(1, outputs.get(0).parts().get(0).part().partitionId());
        assertEquals(
                List.of(part(2, 10, 20)),
                outputs.get(1).parts().stream().map(MergeOutput.Input::part).toList());
    }

    private List<SegmentEntry> choose(List<SegmentEntry> segments, Set<String> excluded) {
        return policy.choose(segments, excluded, SegmentEntry::sizeBytes);
    }

    private static SegmentEntry own(String key, long bytes, long firstOffset) {
        return new SegmentEntry(
                ObjectKey.of(key), bytes, 0, List.of(new SegmentPart(1, firstOffset, firstOffset + 10, bytes, 0)));
    }

    private static SegmentEntry mixed(String key, SegmentPart... parts) {
        return new SegmentEntry(ObjectKey.of(key), 1_000, 0, List.of(parts));
    }

    private static SegmentPart part(long id, long first, long next) {
        return new SegmentPart(id, first, next, 1_000, 0);
    }
}
