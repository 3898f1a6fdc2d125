/**
 * {@code forebay bench}: puts load on a broker and says what came of it.
 *
 * <p>Latencies are measured from the moment a record was <em>meant</em> to be sent, so that a stall of the broker (or
 * of this process) is counted for every record it held up and not only for the one it hit.
 *
 * <p>Threads: the command's own sends or reads; {@code e2e} has one more for its consumer; acknowledgements arrive on
 * the producer's thread. Counters are shared through {@code LoadCount} and {@code Latencies}. Read first:
 * {@code ProduceLoad}.
 */
@NullMarked
package io.forebay.server.cli.bench;

import org.jspecify.annotations.NullMarked;
