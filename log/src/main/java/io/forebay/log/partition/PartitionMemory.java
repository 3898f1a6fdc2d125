package io.forebay.log.partition;

import io.forebay.log.batch.BatchView;
import io.forebay.log.batch.MarkerView;
import io.forebay.model.LongMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must be remembered of a partition beyond its records: epochs, producers, timestamps, transactions. Pure: only
 * applying a batch or a trim changes it, so replay rebuilds it; only expiry looks at the time, and what it forgets may come
 * back by replay until it expires again.
 *
 * <p>Offsets are dense: a batch is applied only at {@link #nextOffset}. Owned by the shard loop.
 */
public final class PartitionMemory {

    private static final int FIRST_EPOCHS = 2;

    long startOffset;
    long nextOffset;
    long maxTimestampMs = -1;
    long maxTimestampOffset = -1;
    final LongMap<ProducerState> producers = new LongMap<>();
    final List<AbortedTransaction> aborted = new ArrayList<>();

    /** Leader epochs that appended something, ascending, with the first offset of each. */
    private long[] epochs = new long[FIRST_EPOCHS];

    private long[] epochStarts = new long[FIRST_EPOCHS];
    private int epochCount;
    /** Transactions whose marker is not durable yet, by the offsets of their markers; as many as appends may be in flight. */
    private final ArrayDeque<AbortedTransaction> ended = new ArrayDeque<>();

    private @Nullable ProducerState lastProducer;
    private int openTransactions;

    /** First offset that has not been trimmed away. */
    public long startOffset() {
        return startOffset;
    }

    /** One more than the last offset. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Largest timestamp of any batch applied so far, ms; −1 if there was none. Trimming does not lower it. */
    public long maxTimestampMs() {
        return maxTimestampMs;
    }

    /** Last offset of the batch with the largest timestamp; −1 if there was none. */
    public long maxTimestampOffset() {
        return maxTimestampOffset;
    }

    /** First offset of the earliest open transaction, else the next offset. */
    public long lastStableOffset() {
        return Math.min(nextOffset, firstOpen());
    }

    private long firstOpen() {
        long first = Long.MAX_VALUE;
        if (openTransactions > 0) {
            for (ProducerState producer : producers.values()) {
                if (producer.openTransaction != ProducerState.NO_TRANSACTION) {
                    first = Math.min(first, producer.openTransaction);
                }
            }
        }
        return first;
    }

    /** Everything below the offset is durable. */
    void durable(long durableEnd) {
        while (!ended.isEmpty() && ended.getFirst().lastOffset() < durableEnd) {
            ended.removeFirst();
        }
    }

    /**
     * First offset of the earliest transaction that is open or whose marker is not durable yet, else the next offset. A reader that was shown the end of a
     * transaction would else see it open again when the marker is lost with its session.
     */
    public long durableStableOffset() {
        long stable = lastStableOffset();
        for (AbortedTransaction one : ended) {
            stable = Math.min(stable, one.firstOffset());
        }
        return stable;
    }

    /** Aborted ranges that read-committed readers of offsets {@code from} (inclusive) to {@code to} (exclusive) must skip. */
    public List<AbortedTransaction> aborted(long from, long to) {
        if (aborted.isEmpty()) {
            return List.of();
        }
        List<AbortedTransaction> found = new ArrayList<>();
        for (AbortedTransaction one : aborted) {
            if (one.lastOffset() >= from && one.firstOffset() < to) {
                found.add(one);
            }
        }
        return found;
    }

    /** Current epoch of a producer; −1: it is not known here. */
    public short producerEpoch(long producerId) {
        ProducerState producer = producer(producerId);
        return producer == null ? ProducerState.NO_EPOCH : producer.epoch;
    }

    /** First offset of the producer's open transaction; −1: none is open. */
    public long openTransaction(long producerId) {
        ProducerState producer = producer(producerId);
        return producer == null ? ProducerState.NO_TRANSACTION : producer.openTransaction;
    }

    /** Epoch of the coordinator that has ended the producer's last transaction here; −1: none has. */
    public int coordinatorEpoch(long producerId) {
        ProducerState producer = producer(producerId);
        return producer == null ? -1 : producer.coordinatorEpoch;
    }

    /** All producers that are remembered, by their ids. */
    public List<ActiveProducer> activeProducers() {
        List<ActiveProducer> active = new ArrayList<>();
        for (long producerId : producers.sortedKeys()) {
            ProducerState producer = producers.get(producerId);
            if (producer != null) {
                active.add(producer.active());
            }
        }
        return active;
    }

    public int producerCount() {
        return producers.size();
    }

    /**
     * Whether a batch of an idempotent producer may be appended (Kafka 4.4, ProducerStateManager, without transaction
     * verification): a producer that is not known here may start anywhere; a new epoch starts at 0; within an epoch numbers
     * follow each other and wrap from the largest int to 0; one of the last five batches is a duplicate.
     *
     * @param recordCount last offset delta of the batch, plus one
     */
    public SequenceCheck check(long producerId, short producerEpoch, int baseSequence, int recordCount) {
        ProducerState producer = producer(producerId);
        return producer == null ? SequenceCheck.ACCEPT : producer.check(producerEpoch, baseSequence, recordCount);
    }

    /**
     * Takes a batch into account that got the next offsets.
     *
     * @param epoch leader epoch of the batch
     * @param recordCount last offset delta of the batch, plus one
     * @param attributes with {@code baseSequence} as {@link MarkerView} says them
     */
    public void apply(
            long epoch,
            long baseOffset,
            int recordCount,
            long batchMaxTimestampMs,
            short attributes,
            long producerId,
            short producerEpoch,
            int baseSequence) {
        if (baseOffset != nextOffset || recordCount < 1) {
            throw new IllegalStateException(
                    "a batch of " + recordCount + " at offset " + baseOffset + " does not follow " + nextOffset);
        }
        noteEpoch(epoch, baseOffset);
        nextOffset = baseOffset + recordCount;
        if (batchMaxTimestampMs > maxTimestampMs) {
            maxTimestampMs = batchMaxTimestampMs;
            maxTimestampOffset = nextOffset - 1;
        }
        if (BatchView.isControl(attributes)) {
            endTransaction(producerId, producerEpoch, MarkerView.isCommit(attributes), baseSequence, baseOffset);
        } else if (producerId != BatchView.NO_PRODUCER) {
            ProducerState producer = known(producerId);
            int lastSequence = ProducerState.plus(baseSequence, recordCount - 1);
            producer.add(producerEpoch, lastSequence, nextOffset - 1, recordCount - 1, batchMaxTimestampMs);
            if (BatchView.isTransactional(attributes) && producer.openTransaction == ProducerState.NO_TRANSACTION) {
                producer.openTransaction = baseOffset;
                openTransactions++;
            }
        }
    }

    private void endTransaction(
            long producerId, short producerEpoch, boolean commit, int coordinatorEpoch, long markerOffset) {
        ProducerState producer = known(producerId);
        long first = producer.openTransaction;
        producer.marked(producerEpoch, coordinatorEpoch);
        if (first == ProducerState.NO_TRANSACTION) {
            return;
        }
        openTransactions--;
        AbortedTransaction range = new AbortedTransaction(producerId, first, markerOffset, lastStableOffset());
        ended.add(range);
        if (!commit) {
            aborted.add(range);
        }
    }

    private ProducerState known(long producerId) {
        ProducerState producer = producer(producerId);
        if (producer == null) {
            producer = new ProducerState(producerId);
            producers.put(producerId, producer);
        }
        lastProducer = producer;
        return producer;
    }

    /** Takes offsets into account whose batch can no longer be read: they stay used. */
    public void applyLost(long epoch, long baseOffset, long endOffset) {
        if (baseOffset != nextOffset || endOffset <= baseOffset) {
            throw new IllegalStateException(
                    "lost offsets " + baseOffset + " to " + endOffset + " do not follow " + nextOffset);
        }
        noteEpoch(epoch, baseOffset);
        nextOffset = endOffset;
    }

    /** Moves the start up; never back. */
    public void trim(long newStart) {
        if (newStart <= startOffset) {
            return;
        }
        startOffset = newStart;
        aborted.removeIf(one -> one.lastOffset() < newStart);
        int gone = 0;
        while (gone + 1 < epochCount && epochStarts[gone + 1] <= newStart) {
            gone++;
        }
        if (gone > 0) {
            System.arraycopy(epochs, gone, epochs, 0, epochCount - gone);
            System.arraycopy(epochStarts, gone, epochStarts, 0, epochCount - gone);
            epochCount -= gone;
        }
        if (epochCount > 0) {
            epochStarts[0] = Math.max(epochStarts[0], newStart);
        }
    }

    /**
     * Forgets producers without an open transaction that have appended nothing for a time.
     *
     * @param expirationMs age of a producer's newest batch from which it is forgotten
     * @return how many were forgotten
     */
    public int expire(long nowMs, long expirationMs) {
        lastProducer = null;
        return producers.removeIf(producer ->
                producer.openTransaction == ProducerState.NO_TRANSACTION && producer.silentFor(nowMs) >= expirationMs);
    }

    /**
     * Where the largest leader epoch at or below {@code epoch} ends (KIP-101).
     *
     * @param endOffset end of the partition for whoever asks: the high watermark
     */
    public EpochEnd endOffsetForEpoch(long epoch, long endOffset) {
        if (epochCount == 0 || epoch < 0 || epoch > epochs[epochCount - 1]) {
            return EpochEnd.NONE;
        }
        if (epoch == epochs[epochCount - 1]) {
            return new EpochEnd(epoch, endOffset);
        }
        int found = Arrays.binarySearch(epochs, 0, epochCount, epoch);
        int above = found >= 0 ? found + 1 : -found - 1;
        return new EpochEnd(above == 0 ? epoch : epochs[above - 1], Math.min(epochStarts[above], endOffset));
    }

    /** Leader epoch of the record at an offset; −1 if none is known. */
    public long epochAt(long offset) {
        int found = Arrays.binarySearch(epochStarts, 0, epochCount, offset);
        int at = found >= 0 ? found : -found - 2;
        return at < 0 ? -1 : epochs[at];
    }

    /** Leader epoch of the last batch; −1 if there was none. */
    public long lastEpoch() {
        return epochCount == 0 ? -1 : epochs[epochCount - 1];
    }

    int epochCount() {
        return epochCount;
    }

    long epoch(int i) {
        return epochs[i];
    }

    long epochStart(int i) {
        return epochStarts[i];
    }

    /** Adds a state read from a manifest. */
    void restore(ProducerState producer) {
        producers.put(producer.producerId, producer);
        if (producer.openTransaction != ProducerState.NO_TRANSACTION) {
            openTransactions++;
        }
    }

    void noteEpoch(long epoch, long firstOffset) {
        if (epochCount > 0 && epochs[epochCount - 1] >= epoch) {
            return;
        }
        if (epochCount == epochs.length) {
            epochs = Arrays.copyOf(epochs, epochCount * 2);
            epochStarts = Arrays.copyOf(epochStarts, epochCount * 2);
        }
        epochs[epochCount] = epoch;
        epochStarts[epochCount] = firstOffset;
        epochCount++;
    }

    private @Nullable ProducerState producer(long producerId) {
        ProducerState last = lastProducer;
        return last != null && last.producerId == producerId ? last : producers.get(producerId);
    }
}
