package io.forebay.log.journal;

import io.forebay.store.ObjectKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the frames of a journal file that has no readable index, checking each header, body and batch. Fed with the file's bytes in
 * order; owned by one thread at a time.
 *
 * <p>What is damage and what a torn tail: everything below the <em>proven end</em> was acknowledged. That is the end that a later file
 * states, else the highest durable end that any valid frame of this file states. Bytes below it that are no valid frame are damage: they
 * are reported, and frames behind them count. From the proven end on, frames count up to the first position that holds no valid one.
 */
final class FileScan {

    private static final short MAGIC = FrameCodec.MAGIC;

    /** Told what a scan found. */
    interface Taker<T> {
        T take(byte[] index, int framesEnd, List<JournalDamage> damages);
    }

    /** Bytes that hold no valid frame. */
    private record Gap(int from, int to, Optional<JournalDamage.Frame> frame, String reason) {}

    private final ObjectKey key;
    private final int end;
    private final int salt;
    private final FrameCodec codec = new FrameCodec();
    private final JournalIndexBuilder index = new JournalIndexBuilder();
    private final List<Gap> gaps = new ArrayList<>();

    /** Everything before was looked at. */
    private int position;
    /** Where the bytes without a valid frame began; −1: there are none open. */
    private int gapFrom = -1;

    private String gapReason = "";
    private int lastFrameEnd;
    private long provenEnd;

    /**
     * Begins a scan behind the file's header.
     *
     * @param end how much of the file may be read
     * @param stated whether a later file states that end
     * @param headerValid whether the first 64 bytes are the header of this file
     */
    FileScan(JournalPath path, long number, int end, boolean stated, boolean headerValid) {
        this.key = path.file(number);
        this.end = end;
        this.salt = FrameCodec.salt(path, number);
        this.provenEnd = stated ? end : 0;
        if (!headerValid && end > 0) {
            gapFrom = 0;
            gapReason = "the file's header is damaged";
        }
        this.position = Math.min(JournalHeader.BYTES, end);
        this.lastFrameEnd = headerValid ? position : 0;
    }

    /** Where the bytes that are wanted next begin. */
    int position() {
        return position;
    }

    /**
     * Looks at more bytes.
     *
     * @param window from its position to its limit: the file's bytes from {@link #position} on
     * @param last whether nothing follows the window
     * @return how many bytes the next window must have at least, counted from the new {@link #position}; 0: the scan is complete
     */
    int feed(ByteBuffer window, boolean last) {
        int base = window.position();
        int origin = position;
        int limit = window.limit();
        while (true) {
            int at = base + position - origin;
            if (at >= limit) {
                return last ? finish(position) : FrameCodec.HEADER_BYTES;
            }
            if (limit - at < FrameCodec.HEADER_BYTES) {
                return last ? finish(position) : FrameCodec.HEADER_BYTES;
            }
            if (!codec.isHeader(window, at, salt)) {
                search(window, at, limit, base - origin);
                continue;
            }
            long frameBytes = FrameCodec.HEADER_BYTES + (long) FrameCodec.bodyLength(window, at);
            if (limit - at >= frameBytes) {
                frame(window, at, (int) frameBytes);
            } else if (last) {
                // Its header is whole, its body is not: nothing of this file can lie behind it.
                provenEnd = Math.max(provenEnd, FrameCodec.durableEnd(window, at));
                openGap(position, "a frame is cut off");
                closeGap(end, Optional.of(frameOf(window, at)));
                position = end;
                return finish(end);
            } else {
                return (int) frameBytes;
            }
        }
    }

    private void frame(ByteBuffer window, int at, int frameBytes) {
        closeGap(position, Optional.empty());
        provenEnd = Math.max(provenEnd, FrameCodec.durableEnd(window, at));
        int bodyAt = at + FrameCodec.HEADER_BYTES;
        boolean whole = codec.isBody(window, at, window, bodyAt);
        index.add(
                FrameCodec.kind(window, at).code() + (whole ? 0 : JournalIndexBuilder.DAMAGED),
                FrameCodec.shard(window, at),
                FrameCodec.partitionId(window, at),
                position,
                FrameCodec.bodyLength(window, at),
                FrameCodec.epoch(window, at),
                FrameCodec.baseOffset(window, at),
                FrameCodec.recordCount(window, at),
                window,
                bodyAt);
        if (!whole) {
            openGap(position, "a frame's body is damaged");
            closeGap(position + frameBytes, Optional.of(frameOf(window, at)));
        }
        position += frameBytes;
        lastFrameEnd = position;
    }

    private static JournalDamage.Frame frameOf(ByteBuffer window, int at) {
        return new JournalDamage.Frame(
                FrameCodec.shard(window, at),
                FrameCodec.epoch(window, at),
                FrameCodec.partitionId(window, at),
                FrameCodec.baseOffset(window, at),
                FrameCodec.recordCount(window, at));
    }

    /** Moves on to the next place in the window where a frame may begin. */
    private void search(ByteBuffer window, int at, int limit, int shift) {
        openGap(position, "no frame");
        int from = at + 1;
        while (from <= limit - FrameCodec.HEADER_BYTES && window.getShort(from) != MAGIC) {
            from++;
        }
        position = from - shift;
    }

    private void openGap(int from, String reason) {
        if (gapFrom < 0) {
            gapFrom = from;
            gapReason = reason;
        }
    }

    private void closeGap(int to, Optional<JournalDamage.Frame> frame) {
        if (gapFrom >= 0) {
            gaps.add(new Gap(gapFrom, to, frame, gapReason));
            gapFrom = -1;
        }
    }

    private int finish(int from) {
        if (gapFrom < 0 && from < end) {
            openGap(from, "no frame");
        }
        closeGap(end, Optional.empty());
        position = end;
        return 0;
    }

    /** What counts. Call when {@link #feed} returned 0. */
    <T> T result(Taker<T> taker) {
        int framesEnd = lastFrameEnd;
        List<JournalDamage> damages = new ArrayList<>();
        for (Gap gap : gaps) {
            if (gap.from < provenEnd) {
                int to = (int) Math.min(gap.to, Math.max(provenEnd, gap.from));
                damages.add(new JournalDamage(key, gap.from, to - gap.from, gap.frame, gap.reason));
            }
            if (gap.to > provenEnd) {
                framesEnd = (int) Math.min(framesEnd, Math.max(gap.from, provenEnd));
                break;
            }
        }
        return taker.take(index.encode(framesEnd), framesEnd, damages);
    }
}
