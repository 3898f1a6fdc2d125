/**
 * The shared store: a flat set of named objects, the only durable thing in the product.
 *
 * <p>{@link io.forebay.store.Store} is the port; each back end passes the same contract test ({@code StoreContractTest}
 * in {@code testkit}). In here: the memory and the local-folder back end and the start-up probe. Other back ends are
 * found by {@link io.forebay.store.StoreProvider} on the scheme of the store's URI.
 *
 * <p>What is kept true: an object appears at once and whole or not at all (except those that are appended to); what a
 * writer was told is durable stays readable; once sealed, an object's end never changes, for anybody; a time-out is
 * {@code OutcomeUnknown}, never a failure.
 *
 * <p>Threads: every method may be called from any thread. Futures complete on threads of the back end (or on the
 * caller's, where the call is answered at once); callers move to their own loop before they touch state.
 */
@NullMarked
package io.forebay.store;

import org.jspecify.annotations.NullMarked;
