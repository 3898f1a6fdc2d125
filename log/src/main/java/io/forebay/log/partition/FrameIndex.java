package io.forebay.log.partition;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the durable batches of one partition lie in journal files: columns of primitives, one row per frame, ordered by
 * offset. Rows are added at the end and dropped from the beginning. Owned by the shard loop.
 *
 * <p>A row number is good until the next call that adds or drops.
 */
final class FrameIndex {

    /** Length of a frame whose bytes are lost: its offsets are used, nothing can be read. */
    static final int LOST = -1;

    /** Memory of one row, in bytes, for whoever bounds it. */
    static final int ROW_BYTES = 32;

    private static final int FIRST_ROWS = 4;

    private long[] baseOffsets = new long[FIRST_ROWS];
    private int[] counts = new int[FIRST_ROWS];
    private @Nullable JournalFile[] files = new @Nullable JournalFile[FIRST_ROWS];
    private int[] positions = new int[FIRST_ROWS];
    private int[] lengths = new int[FIRST_ROWS];
    private long[] maxTimestamps = new long[FIRST_ROWS];
    private int head;
    private int tail;

    void add(long baseOffset, int count, JournalFile file, int bodyPosition, int length, long maxTimestampMs) {
        if (tail == counts.length) {
            makeRoom();
        }
        baseOffsets[tail] = baseOffset;
        counts[tail] = count;
        files[tail] = file;
        positions[tail] = bodyPosition;
        lengths[tail] = length;
        maxTimestamps[tail] = maxTimestampMs;
        tail++;
    }

    int size() {
        return tail - head;
    }

    /** The first row. */
    int first() {
        return head;
    }

    /** One more than the last row. */
    int end() {
        return tail;
    }

    /** The row whose frame holds the offset, or the first behind it if none does; {@link #end} if all lie before. */
    int rowAt(long offset) {
        int found = Arrays.binarySearch(baseOffsets, head, tail, offset);
        if (found >= 0) {
            return found;
        }
        int before = -found - 2;
        return before >= head && nextOffset(before) > offset ? before : before + 1;
    }

    long baseOffset(int row) {
        return baseOffsets[row];
    }

    long nextOffset(int row) {
        return baseOffsets[row] + counts[row];
    }

    int count(int row) {
        return counts[row];
    }

    JournalFile file(int row) {
        JournalFile file = files[row];
        if (file == null) {
            throw new IllegalStateException("row " + row + " was dropped");
        }
        return file;
    }

    /** Where the batch begins in the file. */
    int position(int row) {
        return positions[row];
    }

    /** Bytes of the batch, or {@link #LOST}. */
    int length(int row) {
        return lengths[row];
    }

    long maxTimestampMs(int row) {
        return maxTimestamps[row];
    }

    /** Drops all rows before {@code row}. */
    void dropBefore(int row) {
        Arrays.fill(files, head, row, null);
        head = row;
        if (head == tail) {
            head = 0;
            tail = 0;
        }
    }

    private void makeRoom() {
        if (head > counts.length / 2) {
            System.arraycopy(baseOffsets, head, baseOffsets, 0, size());
            System.arraycopy(counts, head, counts, 0, size());
            System.arraycopy(files, head, files, 0, size());
            System.arraycopy(positions, head, positions, 0, size());
            System.arraycopy(lengths, head, lengths, 0, size());
            System.arraycopy(maxTimestamps, head, maxTimestamps, 0, size());
            Arrays.fill(files, size(), tail, null);
            tail -= head;
            head = 0;
            return;
        }
        int rows = Math.multiplyExact(counts.length, 2);
        baseOffsets = Arrays.copyOf(baseOffsets, rows);
        counts = Arrays.copyOf(counts, rows);
        files = Arrays.copyOf(files, rows);
        positions = Arrays.copyOf(positions, rows);
        lengths = Arrays.copyOf(lengths, rows);
        maxTimestamps = Arrays.copyOf(maxTimestamps, rows);
    }
}
