/**
 * The Kafka protocol in front of {@link io.forebay.broker.Broker}: sockets, frames, and one handler class per API.
 *
 * <p>{@code net} turns bytes into requests and answers into bytes; {@code api} is the contract between it and the handlers; each
 * other package holds the handlers of one subject. Nothing here is worth keeping: a process that ends loses only connections
 * and fetch sessions, which clients rebuild by themselves.
 *
 * <p>Threads: a connection, its requests and its fetch sessions are owned by one net loop. The broker answers on any thread; an answer
 * moves to the connection's loop by itself. Nothing blocks.
 *
 * <p>Invariants: answers leave a connection in the order of its requests. Records are copied neither on their way in nor on their way
 * out. The memory that requests hold is bounded by admission, by bytes, before it is allocated.
 *
 * <p>Read first: {@link io.forebay.kafka.net.Connection}, {@link io.forebay.kafka.api.ApiHandler}.
 */
@NullMarked
package io.forebay.kafka;

import org.jspecify.annotations.NullMarked;
