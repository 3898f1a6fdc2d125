/**
 * The command line {@code bin/forebay}: one class per command, put together by
 * {@link io.forebay.server.cli.CommandTree}.
 *
 * <p>Client commands talk to a broker through the Kafka clients only, so they work against any broker that speaks the
 * protocol. {@code start} builds a checked configuration and hands it to a
 * {@link io.forebay.server.cli.NodeStarter}.
 *
 * <p>Kept true: results go to standard output and nothing else does; everything for people (progress, errors, logs)
 * goes to standard error; exit codes are 0 done, 1 failed, 2 used wrongly; a failure is one sentence that says what to
 * do, a stack trace appears only with {@code --verbose}. A command reads and writes only the
 * {@link io.forebay.server.cli.Console} it was given, so that it can be called inside another process.
 *
 * <p>Threads: a command runs on its caller's thread. Read first: {@code CommandTree}, {@code ClientOptions}.
 */
@NullMarked
package io.forebay.server.cli;

import org.jspecify.annotations.NullMarked;
