package io.forebay.log.shard;

import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * How chosen segments become others. Pure.
 *
 * <p>A partition with much in them gets an object of its own; the others share one. Where a segment that is not merged holds
 * offsets between two of the merged ones, these stay in objects apart: one object holds one run of offsets of a partition.
 */
final class MergePlan {

    private MergePlan() {}

    /**
     * Plans the outputs.
     *
     * @param all the shard's segments
     * @param chosen those to be merged
     * @param startOf start offset of a partition; −1 if there is no such partition any more
     * @param ownBytes a run of a partition of at least so many bytes gets an object of its own
     */
    static List<MergeOutput> outputs(
            List<SegmentEntry> all, List<SegmentEntry> chosen, LongUnaryOperator startOf, long ownBytes) {
        Set<String> merged = new HashSet<>();
        chosen.forEach(segment -> merged.add(segment.key().value()));
        Map<Long, List<MergeOutput.Input>> byPartition = new TreeMap<>();
        for (SegmentEntry segment : all) {
            for (SegmentPart part : segment.parts()) {
                byPartition
                        .computeIfAbsent(part.partitionId(), id -> new ArrayList<>())
                        .add(new MergeOutput.Input(segment, part, startOf.applyAsLong(part.partitionId())));
            }
        }
        List<MergeOutput> outputs = new ArrayList<>();
        List<MergeOutput.Input> shared = new ArrayList<>();
        for (List<MergeOutput.Input> inputs : byPartition.values()) {
            inputs.sort((one, other) ->
                    Long.compare(one.part().firstOffset(), other.part().firstOffset()));
            List<List<MergeOutput.Input>> runs = runs(inputs, merged);
            for (int i = 0; i < runs.size(); i++) {
                List<MergeOutput.Input> run = runs.get(i);
                if (i < runs.size() - 1 || bytes(run) >= ownBytes) {
                    outputs.add(new MergeOutput(run));
                } else {
                    shared.addAll(run);
                }
            }
        }
        if (!shared.isEmpty()) {
            outputs.add(new MergeOutput(shared));
        }
        return outputs;
    }

    /** The merged parts of one partition, cut where a part that is not merged lies between. */
    private static List<List<MergeOutput.Input>> runs(List<MergeOutput.Input> inputs, Set<String> merged) {
        List<List<MergeOutput.Input>> runs = new ArrayList<>();
        List<MergeOutput.Input> run = new ArrayList<>();
        for (MergeOutput.Input input : inputs) {
            boolean needed = input.startOffset() >= 0 && input.part().nextOffset() > input.startOffset();
            if (merged.contains(input.segment().key().value())) {
                if (needed) {
                    run.add(input);
                }
            } else if (!run.isEmpty()) {
                runs.add(run);
                run = new ArrayList<>();
            }
        }
        if (!run.isEmpty()) {
            runs.add(run);
        }
        return runs;
    }

    private static long bytes(List<MergeOutput.Input> run) {
        return run.stream().mapToLong(input -> input.part().lengthBytes()).sum();
    }
}
