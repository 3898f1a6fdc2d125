package io.forebay.broker.transactions;

import java.util.Optional;
import org.apache.kafka.common.protocol.Errors;

/**
 * What becomes of a request to a transaction's coordinator.
 *
 * @param next to be written; the answer leaves when it is durable. Empty: nothing is written
 * @param error of the answer
 * @param producerId of the answer, where it has one
 * @param epoch of the answer, where it has one
 * @param needsProducerId decide again with a producer id that was never used: nothing else in here means anything
 */
public record TransactionDecision(
        Optional<TransactionState> next, Errors error, long producerId, short epoch, boolean needsProducerId) {

    static final TransactionDecision NEEDS_PRODUCER_ID = new TransactionDecision(
            Optional.empty(), Errors.NONE, TransactionState.NO_PRODUCER_ID, TransactionState.NO_EPOCH, true);

    static TransactionDecision refuse(Errors error) {
        return new TransactionDecision(
                Optional.empty(), error, TransactionState.NO_PRODUCER_ID, TransactionState.NO_EPOCH, false);
    }

    /** Nothing changes: the client asked again for what it has got. */
    static TransactionDecision answer(long producerId, short epoch) {
        return new TransactionDecision(Optional.empty(), Errors.NONE, producerId, epoch, false);
    }

    static TransactionDecision write(TransactionState next) {
        return new TransactionDecision(Optional.of(next), Errors.NONE, next.producerId(), next.epoch(), false);
    }

    TransactionDecision answering(long answeredId, short answeredEpoch) {
        return new TransactionDecision(next, error, answeredId, answeredEpoch, needsProducerId);
    }

    TransactionDecision answering(Errors answered) {
        return new TransactionDecision(
                next, answered, TransactionState.NO_PRODUCER_ID, TransactionState.NO_EPOCH, needsProducerId);
    }
}
