package io.forebay.log.partition;

import io.forebay.log.batch.RunView;
import io.forebay.log.cache.PageCache;
import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Answers readers from journal pages in memory. Large batches go out as views of the pages; runs of small ones are copied
 * into one buffer, because a view of each would cost more than its bytes. Owned by the shard loop.
 */
final class TailReader {

    /** Batches below this size are copied. */
    private static final int SMALL_BYTES = 4 << 10;
    /** Small frames are looked up together when they lie within this many bytes of the file, whatever lies between them. */
    private static final int WINDOW_BYTES = 256 << 10;

    private final PageCache cache;
    private final FrameIndex frames;

    TailReader(PageCache cache, FrameIndex frames) {
        this.cache = cache;
        this.frames = frames;
    }

    /** See {@link PartitionLog#readCached}; the offset is below the limit and not before the first row. */
    @Nullable
    ByteRun read(long offset, long limitOffset, int maxBytes, boolean minOneBatch) {
        int row = frames.rowAt(offset);
        if (row == frames.end() || frames.baseOffset(row) > offset || frames.length(row) == FrameIndex.LOST) {
            return null;
        }
        int end = endRow(row, limitOffset, maxBytes, minOneBatch);
        if (end == row) {
            return ByteRun.EMPTY;
        }
        ByteRun.Builder found = new ByteRun.Builder();
        int at = row;
        while (at < end) {
            int next = frames.length(at) < SMALL_BYTES ? addSmall(at, end, found) : addLarge(at, found);
            if (next == at) {
                break;
            }
            at = next;
        }
        return at == row ? null : found.build();
    }

    /** One more than the last row that fits. */
    private int endRow(int row, long limitOffset, int maxBytes, boolean minOneBatch) {
        long bytes = 0;
        int end = row;
        while (end < frames.end()
                && frames.nextOffset(end) <= limitOffset
                && frames.length(end) != FrameIndex.LOST
                && (bytes + frames.length(end) <= maxBytes || (minOneBatch && end == row))) {
            bytes += frames.length(end);
            end++;
        }
        return end;
    }

    /** Returns the row behind what was added, or the same row if it isn't in memory. */
    private int addLarge(int row, ByteRun.Builder to) {
        ByteRun run = cache.tryReadTail(frames.file(row).key(), frames.position(row), frames.length(row));
        if (run == null) {
            return row;
        }
        to.take(run);
        return row + 1;
    }

    private int addSmall(int row, int end, ByteRun.Builder to) {
        JournalFile file = frames.file(row);
        int from = frames.position(row);
        int bytes = 0;
        int behind = row;
        while (behind < end
                && frames.length(behind) < SMALL_BYTES
                && frames.file(behind) == file
                && frames.position(behind) + frames.length(behind) - from <= WINDOW_BYTES) {
            bytes += frames.length(behind);
            behind++;
        }
        if (behind == row + 1) {
            return addLarge(row, to);
        }
        int last = behind - 1;
        ByteRun window = cache.tryReadTail(file.key(), from, frames.position(last) + frames.length(last) - from);
        if (window == null) {
            return addLarge(row, to);
        }
        RunView view = new RunView(window);
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        for (int i = row; i < behind; i++) {
            view.copy(frames.position(i) - from, frames.length(i), copy);
        }
        window.release();
        to.take(ByteRun.ofUnshared(copy.flip()));
        return behind;
    }
}
