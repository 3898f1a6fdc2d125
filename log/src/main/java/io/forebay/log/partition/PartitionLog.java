package io.forebay.log.partition;

import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One partition: a dense sequence of records with a start, a durable end and what must be remembered beyond them.
 *
 * <p>Owned by the shard loop: every method runs there, and every future completes there.
 */
public final class PartitionLog {

    public long partitionId() {
        throw new UnsupportedOperationException();
    }

    /** First readable offset. Never goes back. */
    public long startOffset() {
        throw new UnsupportedOperationException();
    }

    /** One more than the last offset given out; above the high watermark while appends are in flight. */
    public long nextOffset() {
        throw new UnsupportedOperationException();
    }

    /** One more than the last durable offset: readers see what is below. Never goes back. */
    public long highWatermark() {
        throw new UnsupportedOperationException();
    }

    /** No open transaction begins below it; at most the high watermark. */
    public long lastStableOffset() {
        throw new UnsupportedOperationException();
    }

    /** Bytes of all batches between start and end. */
    public long sizeBytes() {
        throw new UnsupportedOperationException();
    }

    /** Producers, epochs, timestamps: as of the last append, durable or not. */
    public PartitionMemory memory() {
        throw new UnsupportedOperationException();
    }

    /** Leader epoch of new batches: the shard's epoch. */
    public int leaderEpoch() {
        throw new UnsupportedOperationException();
    }

    /**
     * Appends one batch that the caller has validated (size, CRC, sequence): gives it the next offset, patches base offset and leader
     * epoch into it, applies it to the memory and hands it to the journal. State changes at once; whatever leaves the
     * shard waits for {@link AppendListener#durable}.
     *
     * @param batch exactly one record batch from position to limit; unchanged by the caller until {@code copied}
     * @return the batch's base offset
     */
    public long append(ByteBuffer batch, AppendListener listener) {
        throw new UnsupportedOperationException();
    }

    /** Runs {@code task} on the shard loop as soon as everything appended so far is durable (at once if it is). */
    public void whenDurable(Runnable task, java.util.function.Consumer<RuntimeException> failed) {
        throw new UnsupportedOperationException();
    }

    /**
     * Moves the start up to {@code newStart} (delete records, retention). Acknowledged like a record. A start below the current one changes
     * nothing and is acknowledged after what is in flight.
     *
     * @throws IllegalArgumentException above the high watermark
     */
    public void trim(long newStart, AppendListener listener) {
        throw new UnsupportedOperationException();
    }

    /**
     * Whole batches from the one that holds {@code offset} on, as far as they lie in memory, without waiting.
     *
     * @param limitOffset batches at or above it are not returned (high watermark or last stable offset)
     * @param maxBytes stops before the batch that would exceed it
     * @param minOneBatch the first batch is returned even if it is larger than {@code maxBytes}
     * @return empty if {@code offset >= limitOffset} or nothing fits; null if the first batch isn't in memory: use {@link #read}
     */
    public @Nullable ByteRun readCached(long offset, long limitOffset, int maxBytes, boolean minOneBatch) {
        throw new UnsupportedOperationException();
    }

    /** The same, reading from the store what isn't in memory, ahead of the reader. Fails with CorruptRange if the bytes are damaged. */
    public CompletableFuture<ByteRun> read(long offset, long limitOffset, int maxBytes, boolean minOneBatch) {
        throw new UnsupportedOperationException();
    }

    /**
     * The first batch that may hold a record with a timestamp of at least {@code timestampMs} at or above {@code fromOffset} and
     * below {@code limitOffset}: its largest timestamp is that late. Records are the caller's business: if the one it
     * looks for lies below {@code fromOffset}, it asks again from {@link BatchSpot#nextOffset}.
     */
    public CompletableFuture<Optional<BatchSpot>> findByTimestamp(long timestampMs, long fromOffset, long limitOffset) {
        throw new UnsupportedOperationException();
    }

    /** Largest timestamp of what is between start and high watermark, ms (a whole segment counts as long as a part of it is); −1: none. */
    public long maxTimestampMs() {
        throw new UnsupportedOperationException();
    }

    /**
     * The offset up to which {@code retention.bytes} and {@code retention.ms} let records go: whole segments or journal frames whose newest record is older than
     * {@code oldestMs}, or which lie before the last {@code retainBytes}. −1 as either limit: none.
     */
    public long retentionStart(long oldestMs, long retainBytes) {
        throw new UnsupportedOperationException();
    }

    /** Called on the shard loop whenever the high watermark or the last stable offset has moved. One listener; the broker sets it. */
    public void onAdvance(Runnable listener) {
        throw new UnsupportedOperationException();
    }
}
