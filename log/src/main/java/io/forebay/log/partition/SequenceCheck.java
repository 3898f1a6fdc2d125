package io.forebay.log.partition;

/**
 * What an idempotent producer's sequence numbers say about a batch before it is appended.
 *
 * @param baseOffset of the batch that a duplicate repeats, else −1
 * @param lastOffset of the batch that a duplicate repeats, else −1
 * @param timestampMs largest timestamp of the batch that a duplicate repeats, else −1
 */
public record SequenceCheck(Kind kind, long baseOffset, long lastOffset, long timestampMs) {

    /** The verdict. */
    public enum Kind {
        /** Append it. */
        ACCEPT,
        /** One of the producer's last five batches: answer with its offsets once everything up to it is durable. */
        DUPLICATE,
        /** Neither the next batch nor a known one. */
        OUT_OF_ORDER,
        /** Sent under an epoch below the producer's current one. */
        FENCED_EPOCH
    }

    static final SequenceCheck ACCEPT = new SequenceCheck(Kind.ACCEPT, -1, -1, -1);
    static final SequenceCheck OUT_OF_ORDER = new SequenceCheck(Kind.OUT_OF_ORDER, -1, -1, -1);
    static final SequenceCheck FENCED_EPOCH = new SequenceCheck(Kind.FENCED_EPOCH, -1, -1, -1);
}
