package io.forebay.broker.transactions;

import java.util.Optional;
import org.apache.kafka.common.protocol.Errors;

/** What is told about one transactional id: its state, or why not. */
public record DescribedTransaction(Errors error, Optional<TransactionState> state) {}
