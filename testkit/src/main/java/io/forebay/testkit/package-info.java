/**
 * What tests of every room build on: hand-cranked time and loops, a store that misbehaves on demand, and the contract
 * test that every back end of the store passes.
 *
 * <p>{@link io.forebay.testkit.Simulation} is one queue of everything that will happen: all loops, timers and store
 * requests of all simulated processes are steps on it, in an order drawn from one seed. Same seed, same run: {@link
 * io.forebay.testkit.Simulation#traceHash} proves it.
 *
 * <p>Threads: a simulation and everything on it belong to the thread that runs it. Nothing in here starts threads,
 * except the contract test where it races callers of a real store.
 *
 * <p>Read first: {@link io.forebay.testkit.Simulation}, {@link io.forebay.testkit.FaultyStore}, {@link
 * io.forebay.testkit.StoreContractTest}. Used by tests only; product code never depends on this room.
 */
@NullMarked
package io.forebay.testkit;

import org.jspecify.annotations.NullMarked;
