package io.forebay.log.partition;

import io.forebay.log.batch.RunView;
import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;

/** Checks batches that were read from journal files and gathers them. Stateless; any thread. */
final class FrameCheck {

    /** Batches below this size are copied together. */
    private static final int SMALL_BYTES = 4 << 10;

    private FrameCheck() {}

    static CorruptRangeException lost(FrameRows rows, int i) {
        return corrupt(rows, i, "their bytes are lost");
    }

    static CorruptRangeException corrupt(FrameRows rows, int i, String reason) {
        return new CorruptRangeException(
                rows.key(i).value(),
                rows.position(i),
                rows.partitionId(),
                rows.baseOffset(i),
                rows.nextOffset(i),
                reason);
    }

    /** Whether frame i lies whole and undamaged at {@code at}. */
    static boolean intact(RunView view, int at, FrameRows rows, int i) {
        return view.holdsBatch(at, rows.length(i), rows.baseOffset(i)) && view.nextOffset(at) == rows.nextOffset(i);
    }

    /**
     * The batches of some rows, which lie in one file. Damage behind the first ends the run before it.
     *
     * @param run the file's bytes from the first row to the end of the last; released here
     * @throws CorruptRangeException if the first batch is damaged
     */
    static CutRun cut(ByteRun run, FrameRows rows, int first, int end) {
        ByteRun.Builder found = new ByteRun.Builder();
        try {
            RunView view = new RunView(run);
            long next = rows.baseOffset(first);
            int i = first;
            while (i < end) {
                int behind = i;
                int bytes = 0;
                while (behind < end
                        && rows.length(behind) < SMALL_BYTES
                        && intact(view, at(rows, first, behind), rows, behind)) {
                    bytes += rows.length(behind);
                    behind++;
                }
                if (behind > i) {
                    found.take(copy(view, rows, first, i, behind, bytes));
                } else if (intact(view, at(rows, first, i), rows, i)) {
                    found.take(run.slice(at(rows, first, i), rows.length(i)));
                    behind = i + 1;
                } else if (i == first) {
                    throw corrupt(rows, i, "the checksum of the batch is wrong");
                } else {
                    break;
                }
                next = rows.nextOffset(behind - 1);
                i = behind;
            }
            return new CutRun(found.build(), next, i == end);
        } finally {
            run.release();
        }
    }

    /**
     * The same for batches that lie one behind the other in the run.
     *
     * @throws CorruptRangeException if the first batch is damaged
     */
    static CutRun cutPacked(ByteRun run, FrameRows rows) {
        try {
            RunView view = new RunView(run);
            int at = 0;
            int i = 0;
            while (i < rows.frames() && intact(view, at, rows, i)) {
                at += rows.length(i);
                i++;
            }
            if (i == 0) {
                throw corrupt(rows, 0, "the checksum of the batch is wrong");
            }
            return new CutRun(run.slice(0, at), rows.nextOffset(i - 1), i == rows.frames());
        } finally {
            run.release();
        }
    }

    private static int at(FrameRows rows, int first, int i) {
        return rows.position(i) - rows.position(first);
    }

    private static ByteRun copy(RunView view, FrameRows rows, int first, int from, int to, int bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        for (int i = from; i < to; i++) {
            view.copy(at(rows, first, i), rows.length(i), copy);
        }
        return ByteRun.ofUnshared(copy.flip());
    }
}
