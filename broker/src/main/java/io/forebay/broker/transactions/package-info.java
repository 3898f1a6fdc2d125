/**
 * Transactions: who decides, what is written, what reaches the partitions. See docs/rfcs/0008-transactions.md.
 *
 * <p>{@code TransactionPolicy} decides and is pure; a state changes only by a record of {@code __transaction_state}, and an answer leaves when the record is
 * durable. A coordinator belongs to its partition of that topic and lives on its loop.
 *
 * <p>Read first: {@link io.forebay.broker.transactions.TransactionStatus}, {@link io.forebay.broker.transactions.TransactionPolicy}.
 */
@NullMarked
package io.forebay.broker.transactions;

import org.jspecify.annotations.NullMarked;
