/**
 * The commands {@code produce} and {@code consume}: lines in, records out, and back.
 *
 * <p>Bytes are never decoded on the way: a line goes into a record as it is, without its line feed, and comes out of
 * the format {@code value} as it is, with one.
 *
 * <p>Threads: the command's own; acknowledgements arrive on the producer's thread and only touch counters. Read first:
 * {@code ProduceCommand}, {@code ConsumeLoop}.
 */
@NullMarked
package io.forebay.server.cli.records;

import org.jspecify.annotations.NullMarked;
