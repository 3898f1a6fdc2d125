package io.forebay.broker.transactions;

import static io.forebay.broker.transactions.TransactionState.EPOCH_PER_TRANSACTION;
import static io.forebay.broker.transactions.TransactionState.LAST_EPOCH;
import static io.forebay.broker.transactions.TransactionState.NO_EPOCH;
import static io.forebay.broker.transactions.TransactionState.NO_PRODUCER_ID;
import static io.forebay.broker.transactions.TransactionState.NO_TIME;

import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/**
 * What a coordinator decides of transactions. Pure: state, request and time in, decision out. The errors are those of Kafka 4.4 (TransactionCoordinator).
 *
 * <p>Kept true: whoever asks with an epoch below the current one changes nothing; an end that was decided is never decided anew; a decided end keeps its
 * partitions until all have their marker; no transaction begins before the one before it is complete.
 */
public final class TransactionPolicy {

    private final int maxTimeoutMs;

    /** @param maxTimeoutMs largest time-out that a producer may ask for */
    public TransactionPolicy(int maxTimeoutMs) {
        this.maxTimeoutMs = maxTimeoutMs;
    }

    /**
     * A producer begins, or asks for its next epoch.
     *
     * @param now empty: the id is new
     * @param claimedId −1: a producer that begins
     * @param claimedEpoch −1: a producer that begins
     * @param freshId a producer id that was never used, if one was fetched
     */
    public TransactionDecision init(
            String transactionalId,
            Optional<TransactionState> now,
            int timeoutMs,
            long claimedId,
            short claimedEpoch,
            OptionalLong freshId,
            long nowMs) {
        if (timeoutMs <= 0 || timeoutMs > maxTimeoutMs) {
            return TransactionDecision.refuse(Errors.INVALID_TRANSACTION_TIMEOUT);
        }
        if (now.isEmpty()) {
            // A claim is not looked at: the id was forgotten, and what its producer wrote before is complete.
            return freshId.isEmpty()
                    ? TransactionDecision.NEEDS_PRODUCER_ID
                    : TransactionDecision.write(begin(transactionalId, freshId.getAsLong(), timeoutMs, nowMs));
        }
        TransactionState state = now.get();
        boolean claims = claimedEpoch != NO_EPOCH;
        boolean retryAfterLastEpoch = claimedId == state.previousProducerId() && claimedEpoch >= LAST_EPOCH;
        if (claims && claimedId != state.producerId() && !retryAfterLastEpoch) {
            return TransactionDecision.refuse(Errors.PRODUCER_FENCED);
        }
        return switch (state.status()) {
            case PREPARE_COMMIT, PREPARE_ABORT -> TransactionDecision.refuse(Errors.CONCURRENT_TRANSACTIONS);
            case ONGOING ->
                claims && claimedEpoch != state.epoch()
                        ? TransactionDecision.refuse(Errors.PRODUCER_FENCED)
                        : TransactionDecision.write(fence(state, nowMs)).answering(Errors.CONCURRENT_TRANSACTIONS);
            case EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT ->
                nextEpoch(state.withTimeout(timeoutMs), claims, claimedEpoch, freshId, nowMs);
        };
    }

    private static TransactionState begin(String transactionalId, long producerId, int timeoutMs, long nowMs) {
        return new TransactionState(
                transactionalId,
                producerId,
                NO_PRODUCER_ID,
                NO_PRODUCER_ID,
                (short) 0,
                NO_EPOCH,
                timeoutMs,
                TransactionStatus.EMPTY,
                Set.of(),
                NO_TIME,
                nowMs,
                (short) 0);
    }

    private static TransactionDecision nextEpoch(
            TransactionState state, boolean claims, short claimedEpoch, OptionalLong freshId, long nowMs) {
        if (state.isEpochUsedUp() && (!claims || claimedEpoch == state.epoch())) {
            if (freshId.isEmpty()) {
                return TransactionDecision.NEEDS_PRODUCER_ID;
            }
            short last = claims ? state.epoch() : NO_EPOCH;
            return TransactionDecision.write(emptied(state, nowMs)
                    .withProducer(freshId.getAsLong(), state.producerId(), NO_PRODUCER_ID, (short) 0, last));
        }
        if (claims && claimedEpoch != state.epoch()) {
            // A retry of a step up whose answer was lost; anything else is a zombie.
            return claimedEpoch == state.lastEpoch()
                    ? TransactionDecision.write(emptied(state, nowMs))
                    : TransactionDecision.refuse(Errors.PRODUCER_FENCED);
        }
        short last = claims ? state.epoch() : NO_EPOCH;
        return TransactionDecision.write(emptied(state, nowMs)
                .withProducer(
                        state.producerId(),
                        state.previousProducerId(),
                        NO_PRODUCER_ID,
                        (short) (state.epoch() + 1),
                        last));
    }

    /** The start of the last transaction stays: the next one's must be above it. */
    private static TransactionState emptied(TransactionState state, long nowMs) {
        return state.with(TransactionStatus.EMPTY, Set.of(), state.startMs(), nowMs);
    }

    /**
     * Aborts an open transaction against its producer's will: the epoch rises, so that what it still sends is refused. In version 2 by two, because one more
     * is what an end that the producer asked for itself leaves behind.
     */
    private static TransactionState fence(TransactionState state, long nowMs) {
        int step = state.version() >= EPOCH_PER_TRANSACTION ? 2 : 1;
        return state.withProducer(
                        state.producerId(),
                        state.previousProducerId(),
                        NO_PRODUCER_ID,
                        (short) Math.min(Short.MAX_VALUE, state.epoch() + step),
                        NO_EPOCH)
                .with(TransactionStatus.PREPARE_ABORT, state.partitions(), state.startMs(), nowMs);
    }

    /** The transaction has been open for too long; empty if it has not. */
    public Optional<TransactionState> timeOut(TransactionState state, long nowMs) {
        return state.isTimedOut(nowMs) ? Optional.of(fence(state, nowMs)) : Optional.empty();
    }

    /**
     * Partitions join the transaction; the first one opens it.
     *
     * @param version 2: a partition's owner asks on behalf of a producer that does not do so itself
     */
    public TransactionDecision add(
            Optional<TransactionState> now,
            long producerId,
            short epoch,
            Collection<TopicPartition> partitions,
            short version,
            long nowMs) {
        Errors wrong = wrongProducer(now, producerId, epoch);
        if (wrong != Errors.NONE || now.isEmpty()) {
            return TransactionDecision.refuse(wrong);
        }
        TransactionState state = now.get();
        if (state.status().isPrepared()) {
            return TransactionDecision.refuse(Errors.CONCURRENT_TRANSACTIONS);
        }
        boolean open = state.status() == TransactionStatus.ONGOING;
        if (open && state.partitions().containsAll(partitions)) {
            return TransactionDecision.answer(producerId, epoch);
        }
        Set<TopicPartition> all = new HashSet<>(state.partitions());
        all.addAll(partitions);
        long startMs = open ? state.startMs() : state.nextStartMs(nowMs);
        return TransactionDecision.write(
                state.with(TransactionStatus.ONGOING, all, startMs, nowMs).withVersion(version));
    }

    /** Whether a partition belongs to the producer's open transaction. */
    public Errors verify(Optional<TransactionState> now, long producerId, short epoch, TopicPartition partition) {
        Errors wrong = wrongProducer(now, producerId, epoch);
        if (wrong != Errors.NONE || now.isEmpty()) {
            return wrong;
        }
        if (now.get().status().isPrepared()) {
            return Errors.CONCURRENT_TRANSACTIONS;
        }
        return now.get().partitions().contains(partition) ? Errors.NONE : Errors.TRANSACTION_ABORTABLE;
    }

    private static Errors wrongProducer(Optional<TransactionState> now, long producerId, short epoch) {
        if (now.isEmpty() || now.get().producerId() != producerId) {
            return Errors.INVALID_PRODUCER_ID_MAPPING;
        }
        return now.get().epoch() == epoch ? Errors.NONE : Errors.PRODUCER_FENCED;
    }

    /**
     * The producer ends its transaction.
     *
     * @param version 2: the epoch rises with the end
     * @param freshId a producer id that was never used, if one was fetched
     */
    public TransactionDecision end(
            Optional<TransactionState> now,
            long producerId,
            short epoch,
            boolean commit,
            short version,
            OptionalLong freshId,
            long nowMs) {
        if (now.isEmpty()) {
            return TransactionDecision.refuse(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        return version >= EPOCH_PER_TRANSACTION
                ? endWithEpoch(now.get(), producerId, epoch, commit, version, freshId, nowMs)
                : endWithoutEpoch(now.get(), producerId, epoch, commit, version, nowMs);
    }

    private static TransactionDecision endWithoutEpoch(
            TransactionState state, long producerId, short epoch, boolean commit, short version, long nowMs) {
        if (state.producerId() != producerId) {
            return TransactionDecision.refuse(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        if (state.epoch() != epoch) {
            return TransactionDecision.refuse(Errors.PRODUCER_FENCED);
        }
        return switch (state.status()) {
            case ONGOING ->
                TransactionDecision.write(state.with(prepared(commit), state.partitions(), state.startMs(), nowMs)
                        .withVersion(version));
            case PREPARE_COMMIT, PREPARE_ABORT ->
                TransactionDecision.refuse(
                        state.status().isCommit() == commit
                                ? Errors.CONCURRENT_TRANSACTIONS
                                : Errors.INVALID_TXN_STATE);
            case COMPLETE_COMMIT, COMPLETE_ABORT ->
                state.status().isCommit() == commit
                        ? TransactionDecision.answer(producerId, epoch)
                        : TransactionDecision.refuse(Errors.INVALID_TXN_STATE);
            case EMPTY -> TransactionDecision.refuse(Errors.INVALID_TXN_STATE);
        };
    }

    private static TransactionDecision endWithEpoch(
            TransactionState state,
            long producerId,
            short epoch,
            boolean commit,
            short version,
            OptionalLong freshId,
            long nowMs) {
        boolean repeatedAfterLastEpoch =
                state.previousProducerId() == producerId && epoch == LAST_EPOCH && state.epoch() == 0;
        // Above the last epoch only a decided end that brings the next producer id, or a fence, has brought it.
        boolean byProducer = !isAboveLast(state) || state.nextProducerId() != NO_PRODUCER_ID;
        boolean repeated = repeatedAfterLastEpoch || (state.epoch() == epoch + 1 && byProducer);
        if (state.producerId() != producerId && !repeatedAfterLastEpoch) {
            return TransactionDecision.refuse(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        boolean complete = state.status() == TransactionStatus.COMPLETE_COMMIT
                || state.status() == TransactionStatus.COMPLETE_ABORT;
        boolean rightEpoch = state.status().isPrepared()
                ? state.epoch() == epoch + 1 && byProducer
                : state.epoch() == epoch || (complete && repeated);
        if (!rightEpoch) {
            return TransactionDecision.refuse(Errors.PRODUCER_FENCED);
        }
        return switch (state.status()) {
            case ONGOING -> stepUp(state, commit, version, freshId, state.startMs(), nowMs);
            case PREPARE_COMMIT, PREPARE_ABORT ->
                TransactionDecision.refuse(
                        state.status().isCommit() == commit
                                ? Errors.CONCURRENT_TRANSACTIONS
                                : Errors.INVALID_TXN_STATE);
            case COMPLETE_COMMIT, COMPLETE_ABORT -> {
                if (repeated) {
                    yield state.status().isCommit() == commit
                            ? TransactionDecision.answer(state.producerId(), state.epoch())
                            : TransactionDecision.refuse(Errors.INVALID_TXN_STATE);
                }
                yield endNothing(state, commit, version, freshId, nowMs);
            }
            case EMPTY -> endNothing(state, commit, version, freshId, nowMs);
        };
    }

    private static boolean isAboveLast(TransactionState state) {
        return state.epoch() > LAST_EPOCH;
    }

    /** A transaction to which no partition was added: its producer may abort it, since it cannot know whether a batch has arrived. */
    private static TransactionDecision endNothing(
            TransactionState state, boolean commit, short version, OptionalLong freshId, long nowMs) {
        return commit
                ? TransactionDecision.refuse(Errors.INVALID_TXN_STATE)
                : stepUp(state, false, version, freshId, state.nextStartMs(nowMs), nowMs);
    }

    private static TransactionDecision stepUp(
            TransactionState state, boolean commit, short version, OptionalLong freshId, long startMs, long nowMs) {
        if (state.isEpochUsedUp() && freshId.isEmpty()) {
            return TransactionDecision.NEEDS_PRODUCER_ID;
        }
        long nextId = state.isEpochUsedUp() ? freshId.getAsLong() : NO_PRODUCER_ID;
        TransactionState next = state.withProducer(
                        state.producerId(),
                        state.previousProducerId(),
                        nextId,
                        (short) (state.epoch() + 1),
                        state.epoch())
                .with(prepared(commit), state.partitions(), startMs, nowMs)
                .withVersion(version);
        TransactionDecision decision = TransactionDecision.write(next);
        return nextId == NO_PRODUCER_ID ? decision : decision.answering(nextId, (short) 0);
    }

    private static TransactionStatus prepared(boolean commit) {
        return commit ? TransactionStatus.PREPARE_COMMIT : TransactionStatus.PREPARE_ABORT;
    }

    /** All markers of a decided transaction are durable. */
    public TransactionState complete(TransactionState prepared, long nowMs) {
        if (!prepared.status().isPrepared()) {
            throw new IllegalStateException(prepared.transactionalId() + " is " + prepared.status());
        }
        TransactionStatus status =
                prepared.status().isCommit() ? TransactionStatus.COMPLETE_COMMIT : TransactionStatus.COMPLETE_ABORT;
        TransactionState complete = prepared.with(status, Set.of(), prepared.startMs(), nowMs);
        return prepared.nextProducerId() == NO_PRODUCER_ID
                ? complete
                : complete.withProducer(
                        prepared.nextProducerId(), prepared.producerId(), NO_PRODUCER_ID, (short) 0, LAST_EPOCH);
    }
}
