/**
 * What commands need to talk to people and scripts: streams, exit codes, failures in one sentence, tables, JSON, progress,
 * a stop signal, a pace. It knows neither Kafka nor any command.
 *
 * <p>Kept true: a command reads and writes only the {@link io.forebay.server.cli.terminal.Console} it was given.
 *
 * <p>Threads: a command's own; a stop signal comes on a thread of its own and meets the command in
 * {@code StopRequest}. Read first: {@code Surroundings}, {@code CommandFailure}.
 */
@NullMarked
package io.forebay.server.cli.terminal;

import org.jspecify.annotations.NullMarked;
