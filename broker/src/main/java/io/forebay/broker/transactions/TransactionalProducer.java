package io.forebay.broker.transactions;

/**
 * On whose behalf transactional batches are produced.
 *
 * @param addsByProducing whether it leaves it to the partitions' owners to add them to the transaction (version 2)
 */
public record TransactionalProducer(String transactionalId, boolean addsByProducing) {}
