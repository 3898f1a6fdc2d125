/**
 * The simulator: whole nodes, a store that fails, clients and time on one seeded queue. The same seed gives the same run.
 *
 * <p>{@code world} holds nodes and what is done to them, {@code workload} what clients do and what must hold at the end.
 * {@link io.forebay.sim.SeedRun} is one run: phase one breaks things and watches safety, phase two stops the faults and
 * demands progress. The product runs unchanged; only its ports are ours.
 */
@NullMarked
package io.forebay.sim;

import org.jspecify.annotations.NullMarked;
