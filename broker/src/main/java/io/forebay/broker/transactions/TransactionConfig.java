package io.forebay.broker.transactions;

/**
 * Limits of transactions, by Kafka's names and defaults.
 *
 * @param topicPartitions of {@code __transaction_state} when it is created ({@code transaction.state.log.num.partitions})
 * @param maxTimeoutMs largest time-out that a producer may ask for ({@code transaction.max.timeout.ms})
 * @param idExpirationMs after which an unused transactional id is forgotten ({@code transactional.id.expiration.ms})
 * @param timeoutCheckMs between two looks for transactions that are open for too long
 */
public record TransactionConfig(int topicPartitions, int maxTimeoutMs, long idExpirationMs, long timeoutCheckMs) {

    /** 16 partitions, 15 minutes, 7 days, and a look each second, since only open transactions are looked at. */
    public static final TransactionConfig DEFAULT = new TransactionConfig(16, 900_000, 604_800_000, 1_000);
}
