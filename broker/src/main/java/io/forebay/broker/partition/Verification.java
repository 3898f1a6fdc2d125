package io.forebay.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/**
 * Whether a partition belongs to a producer's open transaction, as its coordinator says.
 *
 * @param startMs of the transaction, which tells it from others of the same producer
 */
public record Verification(Errors error, long startMs) {

    public static Verification refused(Errors error) {
        return new Verification(error, TransactionMarker.UNKNOWN_START);
    }
}
