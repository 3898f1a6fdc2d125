/**
 * The command line {@code bin/forebay}: {@link io.forebay.server.cli.CommandTree} puts the commands together,
 * {@code start} lives here, the client commands in packages of their own by subject.
 *
 * <p>Client commands talk to a broker through the Kafka clients only, so they work against any broker that speaks the
 * protocol; {@code cluster} talks to control ports, {@code store} to nobody. {@code start} builds a checked configuration and hands it to a
 * {@link io.forebay.server.cli.NodeStarter}. Directions: {@code cli} sees {@code topic}, {@code group},
 * {@code records}, {@code cluster} and {@code bench}; these see {@code client}; all see {@code terminal}; never back.
 *
 * <p>Kept true: results go to standard output and nothing else does; everything for people (progress, errors, logs)
 * goes to standard error; exit codes are 0 done, 1 failed, 2 used wrongly; a failure is one sentence that says what to
 * do, a stack trace appears only with {@code --verbose}. A command can be called inside another process.
 *
 * <p>Threads: a command runs on its caller's thread. Read first: {@code CommandTree}, {@code StartCommand}.
 */
@NullMarked
package io.forebay.server.cli;

import org.jspecify.annotations.NullMarked;
