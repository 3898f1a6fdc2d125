package io.forebay.log.partition;

import io.forebay.log.batch.BatchView;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One partition: a dense sequence of records with a start, a durable end and what must be remembered beyond them.
 *
 * <p>Owned by the shard loop: every method runs there, and every future completes there.
 */
public final class PartitionLog {

    /** From this average size on batches are read and sent from a journal file as well as from a segment: rewriting them does not pay. Bytes. */
    public static final int LARGE_BATCH_BYTES = 16 << 10;

    private final PartitionState state;
    private final TailReader tail;
    private final OwnFileReader own;
    private final ColdReader cold;

    PartitionLog(PartitionState state) {
        this.state = state;
        this.tail = new TailReader(state.host.cache(), state.frames);
        this.own = new OwnFileReader(state.host.cache(), state.frames);
        this.cold = new ColdReader(state);
    }

    public long partitionId() {
        return state.partitionId;
    }

    /** First readable offset. Never goes back. */
    public long startOffset() {
        return state.startOffset;
    }

    /** One more than the last offset given out; above the high watermark while appends are in flight. */
    public long nextOffset() {
        return state.memory.nextOffset();
    }

    /** One more than the last durable offset: readers see what is below. Never goes back. */
    public long highWatermark() {
        return state.highWatermark;
    }

    /** No transaction begins below it that is open, or whose end is not durable yet; at most the high watermark. */
    public long lastStableOffset() {
        return Math.min(state.highWatermark, state.memory.durableStableOffset());
    }

    /** Everything below it lies in segments that a manifest in the store names, or was trimmed: other nodes can serve it. At most the high watermark. */
    public long segmentedTo() {
        return Math.min(state.flushedTo, state.highWatermark);
    }

    /** Bytes of all batches between start and end; a segment counts whole as long as a part of it is above the start. */
    public long sizeBytes() {
        return state.sizeBytes();
    }

    /** Producers, epochs, timestamps: as of the last append, durable or not. */
    public PartitionMemory memory() {
        return state.memory;
    }

    /** Leader epoch of new batches: the shard's epoch. */
    public int leaderEpoch() {
        return (int) state.host.epoch();
    }

    /** The largest batch that can be appended, in bytes. */
    public int maxBatchBytes() {
        return state.host.maxBatchBytes();
    }

    /**
     * Runs a task that may append on the shard loop; the journal waits for it before its next flush, so that what was asked for together becomes durable together. Any
     * thread.
     */
    public void runAnnounced(Runnable task) {
        if (state.host.loop().inLoop()) {
            task.run();
            return;
        }
        state.host.announce();
        state.host.loop().execute(() -> {
            try {
                task.run();
            } finally {
                state.host.arrived();
            }
        });
    }

    /**
     * Appends one batch that the caller has validated (size, CRC, sequence): gives it the next offset, patches base offset and leader
     * epoch into it, applies it to the memory and hands it to the journal. State changes at once; whatever leaves the
     * shard waits for {@link AppendListener#durable}.
     *
     * @param batch exactly one record batch from position to limit; unchanged by the caller until {@code copied}
     * @throws IllegalArgumentException if it is larger than {@link #maxBatchBytes}; nothing has changed then
     * @return the batch's base offset; −1 if the shard is no longer open here, then the listener was told that it failed
     */
    public long append(ByteBuffer batch, AppendListener listener) {
        JournalEndedException ended = ended();
        if (ended != null) {
            listener.copied();
            listener.failed(ended);
            return -1;
        }
        if (batch.remaining() > maxBatchBytes()) {
            throw new IllegalArgumentException(
                    "a batch has at most " + maxBatchBytes() + " bytes here, not " + batch.remaining());
        }
        int count = BatchView.lastOffsetDelta(batch, batch.position()) + 1;
        long maxTimestampMs = BatchView.maxTimestamp(batch, batch.position());
        long base = state.assign(batch);
        state.host.append(new BatchEntry(state, base, count, batch, maxTimestampMs, listener));
        return base;
    }

    /** Runs {@code task} on the shard loop as soon as everything appended so far is durable (at once if it is). */
    public void whenDurable(Runnable task, Consumer<RuntimeException> failed) {
        state.host.whenDurable(task, failed);
    }

    /**
     * Moves the start up to {@code newStart} (delete records, retention). Acknowledged like a record. A start below the current one changes
     * nothing and is acknowledged after what is in flight.
     *
     * @throws IllegalArgumentException above the high watermark
     */
    public void trim(long newStart, AppendListener listener) {
        if (newStart > state.highWatermark) {
            throw new IllegalArgumentException("partition " + state.partitionId + ": new start " + newStart
                    + " is above the high watermark " + state.highWatermark);
        }
        JournalEndedException ended = ended();
        if (ended != null) {
            listener.copied();
            listener.failed(ended);
            return;
        }
        if (newStart <= state.memory.startOffset()) {
            listener.copied();
            state.host.whenDurable(
                    () -> listener.durable(newStart),
                    thrown -> listener.failed(
                            thrown instanceof JournalEndedException e
                                    ? e
                                    : new JournalEndedException(
                                            JournalEndedException.Reason.CLOSED, thrown.toString())));
            return;
        }
        state.memory.trim(newStart);
        state.host.append(new TrimEntry(state, newStart, listener));
    }

    /**
     * Whole batches from the one that holds {@code offset} on, as far as they lie in memory or in a file that needs no check, without waiting.
     *
     * @param limitOffset batches at or above it are not returned (high watermark or last stable offset)
     * @param maxBytes stops before the batch that would exceed it
     * @param maxMemoryBytes the same for what lies in memory; what lies in a file holds none
     * @param minOneBatch the first batch is returned even if it is larger than that
     * @return empty if {@code offset >= limitOffset} or nothing fits; null if the first batch has to be read from the store: use {@link #read}
     */
    public @Nullable ByteRun readCached(
            long offset, long limitOffset, int maxBytes, int maxMemoryBytes, boolean minOneBatch) {
        if (offset >= limitOffset) {
            return ByteRun.EMPTY;
        }
        ByteRun inFile = own.read(offset, limitOffset, maxBytes, minOneBatch);
        return inFile != null ? inFile : tail.read(offset, limitOffset, maxMemoryBytes, minOneBatch);
    }

    /** The same, reading from the store what has to be read, ahead of the reader. Fails with {@link CorruptRangeException} if the bytes are damaged. */
    public CompletableFuture<ByteRun> read(long offset, long limitOffset, int maxBytes, boolean minOneBatch) {
        ByteRun cached = readCached(offset, limitOffset, maxBytes, maxBytes, minOneBatch);
        return cached != null
                ? CompletableFuture.completedFuture(cached)
                : cold.read(offset, limitOffset, maxBytes, minOneBatch);
    }

    /**
     * The first batch that may hold a record with a timestamp of at least {@code timestampMs} at or above {@code fromOffset} and
     * below {@code limitOffset}: its largest timestamp is that late. Records are the caller's business: if the one it
     * looks for lies below {@code fromOffset}, it asks again from {@link BatchSpot#nextOffset}.
     */
    public CompletableFuture<Optional<BatchSpot>> findByTimestamp(long timestampMs, long fromOffset, long limitOffset) {
        return cold.findByTimestamp(timestampMs, Math.max(fromOffset, state.startOffset), limitOffset);
    }

    /** Largest timestamp of what is between start and high watermark, ms (a whole segment counts as long as a part of it is); −1: none. */
    public long maxTimestampMs() {
        long latest = -1;
        for (int i = state.parts.firstBeyond(state.startOffset); i < state.parts.size(); i++) {
            latest = Math.max(latest, state.parts.part(i).maxTimestampMs());
        }
        FrameIndex frames = state.frames;
        for (int row = frames.rowAt(state.flushedTo); row < frames.end(); row++) {
            latest = Math.max(latest, frames.maxTimestampMs(row));
        }
        return latest;
    }

    /**
     * The offset up to which {@code retention.bytes} and {@code retention.ms} let records go: whole segments or journal frames whose newest record is older than
     * {@code oldestMs}, or which lie before the last {@code retainBytes}. −1 as either limit: none.
     */
    public long retentionStart(long oldestMs, long retainBytes) {
        long start = state.startOffset;
        long left = sizeBytes();
        SegmentParts parts = state.parts;
        for (int i = parts.firstBeyond(start); i < parts.size(); i++) {
            long bytes = parts.part(i).lengthBytes();
            if (!expired(parts.part(i).maxTimestampMs(), oldestMs) && !surplus(left, bytes, retainBytes)) {
                return start;
            }
            left -= bytes;
            start = parts.part(i).nextOffset();
        }
        FrameIndex frames = state.frames;
        for (int row = frames.rowAt(Math.max(start, state.flushedTo)); row < frames.end(); row++) {
            int bytes = Math.max(0, frames.length(row));
            if (!expired(frames.maxTimestampMs(row), oldestMs) && !surplus(left, bytes, retainBytes)) {
                return start;
            }
            left -= bytes;
            start = frames.nextOffset(row);
        }
        return start;
    }

    /** Called on the shard loop whenever the high watermark or the last stable offset has moved. One listener; the broker sets it. */
    public void onAdvance(Runnable listener) {
        state.onAdvance(listener);
    }

    private static boolean expired(long maxTimestampMs, long oldestMs) {
        return oldestMs != -1 && maxTimestampMs < oldestMs;
    }

    private static boolean surplus(long left, long bytes, long retainBytes) {
        return retainBytes != -1 && left - bytes >= retainBytes;
    }

    private @Nullable JournalEndedException ended() {
        return state.dropped()
                ? new JournalEndedException(
                        JournalEndedException.Reason.CLOSED, "partition " + state.partitionId + " was deleted")
                : state.host.ended();
    }
}
