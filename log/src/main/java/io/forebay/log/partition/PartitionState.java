package io.forebay.log.partition;

import io.forebay.log.batch.BatchView;
import io.forebay.log.batch.MarkerView;
import io.forebay.log.journal.FrameCursor;
import io.forebay.log.journal.JournalEndedException;

/**
 * The inside of one partition: its memory, its durable ends, where its batches lie. {@link PartitionLog} is the side that the
 * broker sees, this is the side of the shard. Owned by the shard loop.
 *
 * <p>Kept true: rows of the frame index and parts of segments are dense and ordered by offset; offsets below {@link #flushedTo}
 * lie in segments or were trimmed; rows below it are only there because their bytes may still be in memory.
 */
public final class PartitionState {

    final PartitionHost host;
    final long partitionId;
    final PartitionMemory memory;
    final FrameIndex frames = new FrameIndex();
    private final PartitionLog log;

    SegmentParts parts = SegmentParts.NONE;
    long startOffset;
    long highWatermark;
    long flushedTo;
    private long segmentBytes;
    private long unflushedBytes;
    private int unflushedFrames;
    private boolean dropped;
    private boolean advanceQueued;
    private Runnable onAdvance = () -> {};

    public PartitionState(PartitionHost host, long partitionId, PartitionMemory memory) {
        this.host = host;
        this.partitionId = partitionId;
        this.memory = memory;
        this.startOffset = memory.startOffset();
        this.highWatermark = memory.nextOffset();
        this.flushedTo = memory.nextOffset();
        this.log = new PartitionLog(this);
    }

    /** A partition as a manifest remembers it, before the manifest's journal ranges are replayed. */
    public static PartitionState restored(PartitionHost host, io.forebay.formats.manifest.PartitionMemory remembered) {
        PartitionState partition =
                new PartitionState(host, remembered.getPartitionId(), PartitionMemoryCodec.decode(remembered));
        partition.flushedTo = PartitionMemoryCodec.flushedTo(remembered);
        partition.highWatermark = partition.flushedTo;
        return partition;
    }

    /**
     * A partition as far as segments hold it, for readers elsewhere than at its owner's: it begins where the first of them does, and ends where the last of
     * them does.
     */
    public static PartitionState inSegments(
            PartitionHost host, io.forebay.formats.manifest.PartitionMemory remembered, SegmentParts parts) {
        PartitionState partition = restored(host, remembered);
        if (parts.size() == 0) {
            partition.startOffset = partition.flushedTo;
            return partition;
        }
        partition.startOffset = Math.max(partition.startOffset, parts.part(0).firstOffset());
        partition.highWatermark = Math.min(partition.flushedTo, parts.nextOffset());
        partition.segments(parts);
        return partition;
    }

    public PartitionLog log() {
        return log;
    }

    public long partitionId() {
        return partitionId;
    }

    public PartitionMemory memory() {
        return memory;
    }

    /** Offsets below it lie in segments or were trimmed. */
    public long flushedTo() {
        return flushedTo;
    }

    /**
     * Takes a frame into account that a session of the past has written. Frames that the memory contains already (their offsets lie below
     * its next one) only get their rows: {@link #highWatermark} says up to where there are any.
     */
    public void replay(FrameCursor frame, JournalFile file) {
        switch (frame.kind()) {
            case BATCH -> replayBatch(frame, file);
            case TRIM -> {
                memory.trim(frame.baseOffset());
                startOffset = memory.startOffset();
                dropTrimmed();
            }
            default -> throw new IllegalStateException("partition " + partitionId + " replays a " + frame.kind());
        }
    }

    private void replayBatch(FrameCursor frame, JournalFile file) {
        long base = frame.baseOffset();
        long next = base + frame.recordCount();
        if (next <= startOffset) {
            // Trimmed before the memory was taken: nobody asks for it, and the memory knows it.
            return;
        }
        boolean remembered = base < memory.nextOffset();
        if (base < highWatermark || (remembered && next > memory.nextOffset())) {
            throw new CorruptRangeException(
                    file.key().value(),
                    frame.position(),
                    partitionId,
                    base,
                    Math.min(next, memory.nextOffset()),
                    "these offsets were given out twice");
        }
        if (base > highWatermark) {
            lose(frame.epoch(), highWatermark, base, file, frame.position());
        }
        if (frame.damaged()) {
            lose(frame.epoch(), base, next, file, frame.bodyPosition());
            return;
        }
        if (!remembered) {
            memory.apply(
                    frame.epoch(),
                    base,
                    frame.recordCount(),
                    frame.maxTimestamp(),
                    frame.attributes(),
                    frame.producerId(),
                    frame.producerEpoch(),
                    frame.baseSequence());
        }
        file.readableTo(frame.bodyPosition() + frame.bodyLength());
        addRow(base, frame.recordCount(), file, frame.bodyPosition(), frame.bodyLength(), frame.maxTimestamp());
        highWatermark = next;
        memory.durable(next);
    }

    /**
     * All ranges are replayed: what the memory contains and no frame has brought is lost.
     *
     * @param file where it should have been, for those who ask for it
     */
    public void replayed(JournalFile file) {
        if (highWatermark < memory.nextOffset()) {
            lose(memory.lastEpoch(), highWatermark, memory.nextOffset(), file, 0);
            dropTrimmed();
        }
    }

    private void lose(long epoch, long from, long to, JournalFile file, int position) {
        if (to > memory.nextOffset()) {
            memory.applyLost(epoch, Math.max(from, memory.nextOffset()), to);
        }
        for (long at = from; at < to; ) {
            int count = (int) Math.min(Integer.MAX_VALUE, to - at);
            addRow(at, count, file, position, FrameIndex.LOST, -1);
            at += count;
        }
        highWatermark = to;
    }

    private void addRow(long base, int count, JournalFile file, int position, int length, long maxTimestampMs) {
        frames.add(base, count, file, position, length, maxTimestampMs);
        changeUnflushed(1, Math.max(0, length));
    }

    /** Appending is over for this partition: it was deleted. */
    public void drop() {
        dropped = true;
        changeUnflushed(-unflushedFrames, -unflushedBytes);
        frames.dropBefore(frames.end());
        parts = SegmentParts.NONE;
        segmentBytes = 0;
        host.neededLess();
    }

    boolean dropped() {
        return dropped;
    }

    /** Gives the batch the next offset and applies it; the caller hands it to the journal. */
    long assign(java.nio.ByteBuffer batch) {
        int at = batch.position();
        short attributes = MarkerView.attributes(batch, at);
        long base = memory.nextOffset();
        BatchView.assign(batch, at, base, (int) host.epoch());
        memory.apply(
                host.epoch(),
                base,
                BatchView.lastOffsetDelta(batch, at) + 1,
                BatchView.maxTimestamp(batch, at),
                attributes,
                BatchView.producerId(batch, at),
                BatchView.producerEpoch(batch, at),
                MarkerView.sequence(batch, at));
        return base;
    }

    void batchDurable(long base, int count, long fileNumber, int bodyPosition, int length, long maxTimestampMs) {
        JournalFile file = host.ownFile(fileNumber);
        file.readableTo(bodyPosition + length);
        if (!dropped) {
            addRow(base, count, file, bodyPosition, length, maxTimestampMs);
            highWatermark = base + count;
            memory.durable(highWatermark);
            if (!advanceQueued) {
                advanceQueued = true;
                host.advanced(this);
            }
        }
        host.entryDurable(file, bodyPosition + length);
    }

    void trimDurable(long newStart, long fileNumber, int bodyPosition) {
        JournalFile file = host.ownFile(fileNumber);
        if (!dropped) {
            startOffset = Math.max(startOffset, newStart);
            dropTrimmed();
            segments(parts);
            host.neededLess();
        }
        host.entryDurable(file, bodyPosition);
    }

    void appendFailed(JournalEndedException cause) {
        host.entryFailed(cause);
    }

    private void dropTrimmed() {
        dropRowsBefore(frames.rowAt(startOffset));
    }

    private void dropRowsBefore(int end) {
        for (int row = frames.first(); row < end; row++) {
            if (frames.baseOffset(row) >= flushedTo) {
                changeUnflushed(-1, -Math.max(0, frames.length(row)));
            }
        }
        frames.dropBefore(end);
    }

    /**
     * The offset up to which a flush moves frames: from there on they stay in the journal.
     *
     * @param limitOffset none at or above it is moved
     * @param stays whether a frame of a file is left where it is; what follows such a frame stays as well
     */
    public long cutOffset(long limitOffset, FramePlace stays) {
        int row = frames.rowAt(Math.max(flushedTo, startOffset));
        while (row < frames.end()
                && frames.nextOffset(row) <= limitOffset
                && !stays.test(frames.file(row), frames.position(row))) {
            row++;
        }
        return row < frames.end() ? Math.min(limitOffset, frames.baseOffset(row)) : limitOffset;
    }

    /** The rows that a flush up to {@code cutOffset} has to write. */
    public FrameRows cut(long cutOffset) {
        int first = frames.rowAt(Math.max(flushedTo, startOffset));
        int end = first;
        while (end < frames.end() && frames.nextOffset(end) <= cutOffset) {
            end++;
        }
        return new FrameRows(partitionId, frames, first, end);
    }

    /** New segments hold everything below {@code newFlushedTo}; the rows stay until {@link #forgetFlushed}. */
    public void flushed(SegmentParts newParts, long newFlushedTo) {
        if (dropped) {
            return;
        }
        for (int row = frames.rowAt(flushedTo); row < frames.end() && frames.nextOffset(row) <= newFlushedTo; row++) {
            changeUnflushed(-1, -Math.max(0, frames.length(row)));
        }
        flushedTo = Math.max(flushedTo, newFlushedTo);
        segments(newParts);
    }

    /** Other segments hold the same records. */
    public void segments(SegmentParts newParts) {
        if (dropped) {
            return;
        }
        parts = newParts;
        segmentBytes = 0;
        for (int i = parts.firstBeyond(startOffset); i < parts.size(); i++) {
            segmentBytes += parts.part(i).lengthBytes();
        }
    }

    /**
     * Drops rows of flushed frames whose bytes have left memory.
     *
     * @param isGone whether frames of a file before a position are no longer in memory
     */
    public void forgetFlushed(FramePlace isGone) {
        int row = frames.first();
        int flushedEnd = frames.rowAt(flushedTo);
        while (row < flushedEnd && isGone.test(frames.file(row), frames.position(row))) {
            row++;
        }
        frames.dropBefore(row);
    }

    /** Says something of frames by where their bodies lie. */
    public interface FramePlace {
        boolean test(JournalFile file, int position);
    }

    long sizeBytes() {
        return segmentBytes + unflushedBytes;
    }

    void onAdvance(Runnable listener) {
        onAdvance = listener;
    }

    /** Tells the partition's listener that its high watermark has moved. */
    public void notifyAdvance() {
        advanceQueued = false;
        onAdvance.run();
    }

    private void changeUnflushed(int rows, long bytes) {
        unflushedFrames += rows;
        unflushedBytes += bytes;
        host.unflushedChanged(rows, bytes);
    }
}
