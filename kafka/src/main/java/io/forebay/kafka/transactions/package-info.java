/** Transactions: what producers ask of their coordinator, what tools ask, and markers. */
@NullMarked
package io.forebay.kafka.transactions;

import org.jspecify.annotations.NullMarked;
