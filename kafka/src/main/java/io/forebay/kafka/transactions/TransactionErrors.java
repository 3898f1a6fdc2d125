package io.forebay.kafka.transactions;

import org.apache.kafka.common.protocol.Errors;

/** Codes that clients of older versions do not know become those that they know. */
final class TransactionErrors {

    /** The first version of AddPartitionsToTxn, AddOffsetsToTxn and EndTxn whose clients know PRODUCER_FENCED. */
    private static final int FIRST_WITH_FENCED = 2;

    private TransactionErrors() {}

    static Errors forClient(Errors error, short version) {
        return error == Errors.PRODUCER_FENCED && version < FIRST_WITH_FENCED ? Errors.INVALID_PRODUCER_EPOCH : error;
    }
}
