package io.forebay.log.partition;

import io.forebay.log.cache.PageCache;
import io.forebay.model.ByteRun;
import io.forebay.model.SharedFile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers readers with ranges of journal files that this process wrote lately: large batches leave as they lie in the file, neither read nor checked again
 * ({@link SharedFile#own}), as long as the system has them in memory. Never waits, and nothing it returns makes the loop that sends it wait for a disk. Owned by the shard loop.
 */
final class OwnFileReader {

    private final PageCache cache;
    private final FrameIndex frames;

    OwnFileReader(PageCache cache, FrameIndex frames) {
        this.cache = cache;
        this.frames = frames;
    }

    /** See {@link PartitionLog#readCached}; the offset is below the limit. Null if the first batch does not lie in such a file. */
    @Nullable
    ByteRun read(long offset, long limitOffset, int maxBytes, boolean minOneBatch) {
        int row = frames.rowAt(offset);
        if (row == frames.end()
                || frames.baseOffset(row) > offset
                || frames.length(row) < PartitionLog.LARGE_BATCH_BYTES) {
            return null;
        }
        int end = endRow(row, limitOffset, maxBytes, minOneBatch);
        if (end == row) {
            return ByteRun.EMPTY;
        }
        Optional<SharedFile> open = cache.openFile(frames.file(row).key());
        if (open.isEmpty()) {
            return null;
        }
        SharedFile file = open.get();
        end = endInMemory(file, row, end);
        if (end == row) {
            file.release();
            return null;
        }
        long[] positions = new long[end - row];
        int[] lengths = new int[end - row];
        for (int i = row; i < end; i++) {
            positions[i - row] = frames.position(i);
            lengths[i - row] = frames.length(i);
        }
        return ByteRun.ofFile(file, positions, lengths);
    }

    /** One more than the last row of some that can be sent without waiting for a disk. */
    private int endInMemory(SharedFile file, int row, int end) {
        int at = row;
        while (at < end && file.ownInMemory(frames.position(at), frames.length(at))) {
            at++;
        }
        return at;
    }

    /** One more than the last row that fits, lies in the same file and does not make the batches small. */
    private int endRow(int row, long limitOffset, int maxBytes, boolean minOneBatch) {
        long bytes = 0;
        int end = row;
        while (end < frames.end()
                && frames.file(end) == frames.file(row)
                && frames.nextOffset(end) <= limitOffset
                && frames.length(end) != FrameIndex.LOST
                && (bytes + frames.length(end)) / (end + 1 - row) >= PartitionLog.LARGE_BATCH_BYTES
                && (bytes + frames.length(end) <= maxBytes || (minOneBatch && end == row))) {
            bytes += frames.length(end);
            end++;
        }
        return end;
    }
}
