/**
 * Side-by-side loads: Apache Kafka and Forebay under the same client load, in one run, measured from outside.
 *
 * <p>{@link io.forebay.bench.SideBySide} reads the command line and runs the rows. Five packages do the work:
 * {@code machine} reads what the kernel says about processes and the disk; {@code target} starts, stops and kills the
 * systems; {@code load} is the client, a process of its own so that its CPU time is never counted as a server's;
 * {@code row} says what is done in which order; {@code report} turns samples into medians, ratios and verdicts.
 *
 * <p>Kept true: every target gets the same load from the same client process; targets take turns inside each round,
 * and the turn rotates; a figure is judged only against figures of the same run; each process that was started is
 * ended by its id, also after a failure; every wait has an end.
 *
 * <p>This room measures, so it reads the clock and sleeps, which product rooms must not. Read
 * {@code row/StreamRow.java} and {@code report/Judge.java} first, and docs/benchmarks.md for the method in words.
 */
@NullMarked
package io.forebay.bench;

import org.jspecify.annotations.NullMarked;
