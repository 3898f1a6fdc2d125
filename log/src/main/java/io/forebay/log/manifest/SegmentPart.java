package io.forebay.log.manifest;

/**
 * What a segment holds of one partition.
 *
 * @param nextOffset one more than the last offset
 * @param lengthBytes of its batches
 */
public record SegmentPart(long partitionId, long firstOffset, long nextOffset, long lengthBytes, long maxTimestampMs) {

    public SegmentPart {
        if (firstOffset < 0 || nextOffset <= firstOffset || lengthBytes < 0) {
            throw new IllegalArgumentException("partition " + partitionId + ": offsets " + firstOffset + " to "
                    + nextOffset + ", " + lengthBytes + " bytes");
        }
    }
}
