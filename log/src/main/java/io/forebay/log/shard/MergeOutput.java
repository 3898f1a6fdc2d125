package io.forebay.log.shard;

import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import java.util.List;

/**
 * What one object made by a merge is to hold.
 *
 * @param parts ascending by partition id, then by offset; the parts of one partition follow each other without others between
 */
record MergeOutput(List<Input> parts) {

    MergeOutput {
        parts = List.copyOf(parts);
    }

    /**
     * A part of a segment that goes into the output.
     *
     * @param startOffset what lies below it is no longer needed
     */
    record Input(SegmentEntry segment, SegmentPart part, long startOffset) {}
}
