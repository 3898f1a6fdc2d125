/**
 * Sockets and frames: event loops, connections, admission, and the way of answers onto the wire.
 *
 * <p>A {@link io.forebay.kafka.net.Connection} and its {@link io.forebay.kafka.net.FrameReader} are owned by their event loop. Shard loops
 * and event loops are the same threads, so a connection whose partitions lie on its own loop never changes threads. Answers are
 * flushed once per turn of the loop, however many became ready in it.
 *
 * <p>Invariants: bytes of a large request are read from the socket straight into the buffer that its records are sliced from. A frame's
 * memory is admitted before it is allocated. Garbage costs one log line without payload, and the connection.
 *
 * <p>Read first: {@link io.forebay.kafka.net.Connection}, {@link io.forebay.kafka.net.FrameReader}, {@link io.forebay.kafka.net.Admission}.
 */
@NullMarked
package io.forebay.kafka.net;

import org.jspecify.annotations.NullMarked;
