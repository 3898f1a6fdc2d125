package io.forebay.log.partition;

import io.forebay.store.ObjectKey;
import java.util.Arrays;

/** A copy of consecutive rows of one partition's frame index that can be read on any thread. Immutable. */
public final class FrameRows {

    private final long partitionId;
    private final long[] baseOffsets;
    private final int[] counts;
    private final ObjectKey[] keys;
    private final int[] fileEnds;
    private final int[] positions;
    private final int[] lengths;
    private final long[] maxTimestamps;
    private final long bytes;

    /** Copies the rows from {@code firstRow} to {@code endRow}, the latter exclusive. */
    FrameRows(long partitionId, FrameIndex frames, int firstRow, int endRow) {
        this.partitionId = partitionId;
        int rows = endRow - firstRow;
        baseOffsets = new long[rows];
        counts = new int[rows];
        keys = new ObjectKey[rows];
        fileEnds = new int[rows];
        positions = new int[rows];
        lengths = new int[rows];
        maxTimestamps = new long[rows];
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            int row = firstRow + i;
            baseOffsets[i] = frames.baseOffset(row);
            counts[i] = frames.count(row);
            keys[i] = frames.file(row).key();
            fileEnds[i] = frames.file(row).readableTo();
            positions[i] = frames.position(row);
            lengths[i] = frames.length(row);
            maxTimestamps[i] = frames.maxTimestampMs(row);
            sum += Math.max(0, lengths[i]);
        }
        bytes = sum;
    }

    public long partitionId() {
        return partitionId;
    }

    public int frames() {
        return counts.length;
    }

    /** Of all batches. */
    public long bytes() {
        return bytes;
    }

    public long baseOffset(int i) {
        return baseOffsets[i];
    }

    public long nextOffset(int i) {
        return baseOffsets[i] + counts[i];
    }

    public ObjectKey key(int i) {
        return keys[i];
    }

    /** Up to where the file of frame i can be read. */
    public int fileEnd(int i) {
        return fileEnds[i];
    }

    public int position(int i) {
        return positions[i];
    }

    public int length(int i) {
        return lengths[i];
    }

    /** Positions of the first frames. */
    long[] positions(int frames) {
        return Arrays.stream(positions, 0, frames).asLongStream().toArray();
    }

    /** Lengths of the first frames. */
    int[] lengths(int frames) {
        return Arrays.copyOf(lengths, frames);
    }

    /** Whether the bytes of frame i are lost. */
    public boolean lost(int i) {
        return lengths[i] == FrameIndex.LOST;
    }

    public long maxTimestampMs(int i) {
        return maxTimestamps[i];
    }
}
