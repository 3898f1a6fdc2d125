package io.forebay.log.partition;

/**
 * What is remembered of one producer in one partition: its epoch and its last five batches, to tell the next batch from a
 * repeated one. Owned by the shard loop.
 */
final class ProducerState {

    /** Batches a producer may have in flight; a repeat of any of them is recognised. */
    static final int REMEMBERED_BATCHES = 5;

    static final short NO_EPOCH = -1;
    static final int NO_SEQUENCE = -1;
    static final long NO_TRANSACTION = -1;

    final long producerId;
    short epoch = NO_EPOCH;
    int coordinatorEpoch = -1;
    /** First offset of the open transaction, or {@link #NO_TRANSACTION}. */
    long openTransaction = NO_TRANSACTION;

    /** Largest timestamp of its last batch: the records' time, which says nothing about when they were sent. */
    long lastTimestampMs = -1;

    /** Since when no batch has come, as far as {@link #silentFor} has looked; −1: one has come since, or nobody looked yet. */
    private long silentSinceMs = -1;

    /** A ring: element {@code (first + i) % REMEMBERED_BATCHES} is the i-th oldest. */
    private final int[] lastSequences = new int[REMEMBERED_BATCHES];

    private final long[] lastOffsets = new long[REMEMBERED_BATCHES];
    private final int[] offsetDeltas = new int[REMEMBERED_BATCHES];
    private final long[] timestamps = new long[REMEMBERED_BATCHES];
    private int first;
    private int count;

    ProducerState(long producerId) {
        this.producerId = producerId;
    }

    SequenceCheck check(short batchEpoch, int baseSequence, int recordCount) {
        if (batchEpoch == epoch) {
            int lastSequence = plus(baseSequence, recordCount - 1);
            for (int i = count - 1; i >= 0; i--) {
                if (lastSequence(i) == lastSequence && firstSequence(i) == baseSequence) {
                    return new SequenceCheck(
                            SequenceCheck.Kind.DUPLICATE, lastOffset(i) - offsetDelta(i), lastOffset(i), timestamp(i));
                }
            }
            return follows(baseSequence) ? SequenceCheck.ACCEPT : SequenceCheck.OUT_OF_ORDER;
        }
        if (batchEpoch < epoch) {
            return SequenceCheck.FENCED_EPOCH;
        }
        return baseSequence == 0 || epoch == NO_EPOCH ? SequenceCheck.ACCEPT : SequenceCheck.OUT_OF_ORDER;
    }

    void add(short batchEpoch, int lastSequence, long lastOffset, int offsetDelta, long timestampMs) {
        changeEpoch(batchEpoch);
        int slot = (first + count) % REMEMBERED_BATCHES;
        if (count == REMEMBERED_BATCHES) {
            first = (first + 1) % REMEMBERED_BATCHES;
        } else {
            count++;
        }
        lastSequences[slot] = lastSequence;
        lastOffsets[slot] = lastOffset;
        offsetDeltas[slot] = offsetDelta;
        timestamps[slot] = timestampMs;
        lastTimestampMs = timestampMs;
        silentSinceMs = -1;
    }

    /** A marker has ended its transaction, if it had one. */
    void marked(short markerEpoch, int markerCoordinatorEpoch) {
        changeEpoch(markerEpoch);
        openTransaction = NO_TRANSACTION;
        coordinatorEpoch = markerCoordinatorEpoch;
        silentSinceMs = -1;
    }

    ActiveProducer active() {
        return new ActiveProducer(
                producerId,
                epoch,
                count == 0 ? NO_SEQUENCE : lastSequence(count - 1),
                lastTimestampMs,
                coordinatorEpoch,
                openTransaction);
    }

    /** For how long no batch has come, counted from the first look after the last one (or after a recovery). */
    long silentFor(long nowMs) {
        if (silentSinceMs < 0 || nowMs < silentSinceMs) {
            silentSinceMs = nowMs;
        }
        return nowMs - silentSinceMs;
    }

    /** A new epoch starts without batches: its first sequence number must be 0. */
    void changeEpoch(short batchEpoch) {
        if (epoch != batchEpoch) {
            epoch = batchEpoch;
            first = 0;
            count = 0;
        }
    }

    int batches() {
        return count;
    }

    /** Of the i-th oldest remembered batch. */
    int lastSequence(int i) {
        return lastSequences[(first + i) % REMEMBERED_BATCHES];
    }

    int firstSequence(int i) {
        return minus(lastSequence(i), offsetDelta(i));
    }

    long lastOffset(int i) {
        return lastOffsets[(first + i) % REMEMBERED_BATCHES];
    }

    /** Last offset less first offset. */
    int offsetDelta(int i) {
        return offsetDeltas[(first + i) % REMEMBERED_BATCHES];
    }

    long timestamp(int i) {
        return timestamps[(first + i) % REMEMBERED_BATCHES];
    }

    private boolean follows(int baseSequence) {
        int last = count == 0 ? NO_SEQUENCE : lastSequence(count - 1);
        return baseSequence == plus(last, 1);
    }

    /** Sequence numbers go from 0 to the largest int and on from 0. */
    static int plus(int sequence, int increment) {
        return sequence > Integer.MAX_VALUE - increment
                ? increment - (Integer.MAX_VALUE - sequence) - 1
                : sequence + increment;
    }

    private static int minus(int sequence, int decrement) {
        return sequence < decrement ? Integer.MAX_VALUE - (decrement - sequence) + 1 : sequence - decrement;
    }
}
