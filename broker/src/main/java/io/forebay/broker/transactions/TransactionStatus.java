package io.forebay.broker.transactions;

import java.util.Optional;

/**
 * Where a transactional id stands.
 *
 * <pre>
 * EMPTY           ─► ONGOING (first partition) | PREPARE_ABORT (version 2: abort of nothing) | EMPTY (next producer)
 * ONGOING         ─► ONGOING (more partitions) | PREPARE_COMMIT | PREPARE_ABORT (also: time-out, next producer)
 * PREPARE_COMMIT  ─► COMPLETE_COMMIT (all markers are durable)
 * PREPARE_ABORT   ─► COMPLETE_ABORT (all markers are durable)
 * COMPLETE_COMMIT, COMPLETE_ABORT ─► as EMPTY
 * </pre>
 *
 * Codes and names are those of Kafka's records and answers (kafka-transaction-coordinator 4.4, TransactionState).
 */
public enum TransactionStatus {
    EMPTY(0, "Empty"),
    ONGOING(1, "Ongoing"),
    PREPARE_COMMIT(2, "PrepareCommit"),
    PREPARE_ABORT(3, "PrepareAbort"),
    COMPLETE_COMMIT(4, "CompleteCommit"),
    COMPLETE_ABORT(5, "CompleteAbort");

    private final byte code;
    private final String text;

    TransactionStatus(int code, String text) {
        this.code = (byte) code;
        this.text = text;
    }

    public byte code() {
        return code;
    }

    /** As tools show it. */
    public String text() {
        return text;
    }

    /** Decided, and its markers are on their way. */
    public boolean isPrepared() {
        return this == PREPARE_COMMIT || this == PREPARE_ABORT;
    }

    /** Whether its last transaction ended, or is about to end, with a commit. */
    public boolean isCommit() {
        return this == PREPARE_COMMIT || this == COMPLETE_COMMIT;
    }

    static Optional<TransactionStatus> of(int code) {
        return code >= 0 && code < values().length ? Optional.of(values()[code]) : Optional.empty();
    }

    /** What tools filter by; empty for a name that means nothing. */
    public static Optional<TransactionStatus> named(String text) {
        for (TransactionStatus status : values()) {
            if (status.text.equals(text)) {
                return Optional.of(status);
            }
        }
        return Optional.empty();
    }
}
