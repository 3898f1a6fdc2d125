package io.forebay.broker.transactions;

import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * All that is known of one transactional id: what its newest record in {@code __transaction_state} says. Immutable.
 *
 * @param producerId given to the producer of this id
 * @param previousProducerId the one before; −1: none. After its epochs were used up a retry may still name it
 * @param nextProducerId takes over when the prepared transaction is complete, because the epochs are used up; −1: none
 * @param epoch of the producer; its markers carry the epoch of the moment when the end was decided
 * @param lastEpoch the epoch before the last step up that this producer itself asked for; −1: none, or not known after a takeover
 * @param timeoutMs after which an open transaction is aborted
 * @param partitions that belong to the transaction; empty when none is open or prepared
 * @param startMs when the transaction began, wall clock; −1: none has. Rises strictly from one transaction of the id to the next: so it also tells them apart
 * @param updateMs when this state came about, wall clock
 * @param version of the protocol that the client speaks: 0 or 1 (the epoch stays when a transaction ends), 2 (KIP-890: it rises)
 */
public record TransactionState(
        String transactionalId,
        long producerId,
        long previousProducerId,
        long nextProducerId,
        short epoch,
        short lastEpoch,
        int timeoutMs,
        TransactionStatus status,
        Set<TopicPartition> partitions,
        long startMs,
        long updateMs,
        short version) {

    public static final long NO_PRODUCER_ID = -1;
    public static final short NO_EPOCH = -1;
    public static final long NO_TIME = -1;

    /** The first version in which the epoch rises with each transaction. */
    public static final short EPOCH_PER_TRANSACTION = 2;

    /** The largest epoch that a producer may use; the one above is for the marker that ends its last transaction. */
    static final short LAST_EPOCH = Short.MAX_VALUE - 1;

    public TransactionState {
        partitions = Set.copyOf(partitions);
        if (transactionalId.isEmpty() || producerId < 0 || epoch < 0) {
            throw new IllegalArgumentException(
                    "'" + transactionalId + "' with producer " + producerId + ", epoch " + epoch);
        }
        boolean mayHavePartitions = status == TransactionStatus.ONGOING || status.isPrepared();
        if (!mayHavePartitions && !partitions.isEmpty()) {
            throw new IllegalArgumentException(transactionalId + " has partitions in state " + status);
        }
    }

    /** No producer can go on with this epoch beyond the present transaction. */
    boolean isEpochUsedUp() {
        return epoch >= LAST_EPOCH;
    }

    /** Open for longer than its time-out. */
    public boolean isTimedOut(long nowMs) {
        return status == TransactionStatus.ONGOING && nowMs - startMs > timeoutMs;
    }

    /** Nobody has used the id for so long that it may be forgotten. */
    public boolean isForgotten(long nowMs, long expirationMs) {
        return status != TransactionStatus.ONGOING && !status.isPrepared() && nowMs - updateMs >= expirationMs;
    }

    /** The start of a transaction that begins now. */
    long nextStartMs(long nowMs) {
        return Math.max(nowMs, startMs + 1);
    }

    TransactionState with(TransactionStatus next, Set<TopicPartition> nextPartitions, long nextStartMs, long nowMs) {
        return new TransactionState(
                transactionalId,
                producerId,
                previousProducerId,
                nextProducerId,
                epoch,
                lastEpoch,
                timeoutMs,
                next,
                nextPartitions,
                nextStartMs,
                nowMs,
                version);
    }

    TransactionState withProducer(long id, long previous, long next, short nextEpoch, short last) {
        return new TransactionState(
                transactionalId,
                id,
                previous,
                next,
                nextEpoch,
                last,
                timeoutMs,
                status,
                partitions,
                startMs,
                updateMs,
                version);
    }

    TransactionState withTimeout(int nextTimeoutMs) {
        return new TransactionState(
                transactionalId,
                producerId,
                previousProducerId,
                nextProducerId,
                epoch,
                lastEpoch,
                nextTimeoutMs,
                status,
                partitions,
                startMs,
                updateMs,
                version);
    }

    TransactionState withVersion(short nextVersion) {
        return new TransactionState(
                transactionalId,
                producerId,
                previousProducerId,
                nextProducerId,
                epoch,
                lastEpoch,
                timeoutMs,
                status,
                partitions,
                startMs,
                updateMs,
                nextVersion);
    }
}
