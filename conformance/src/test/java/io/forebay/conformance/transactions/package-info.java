/** Transactions with unmodified clients. */
@NullMarked
package io.forebay.conformance.transactions;

import org.jspecify.annotations.NullMarked;
