/**
 * The network between control ports: one question, one answer. The only place that knows gRPC.
 *
 * <p>{@link io.forebay.cluster.transport.TransportLoop} owns the one thread; {@link io.forebay.cluster.transport.GrpcPeers} asks and
 * {@link io.forebay.cluster.transport.ControlServer} answers on it. Nothing here is loaded by a node that has no control port.
 *
 * <p>Kept true: each question has a deadline and exactly one outcome; "it has not arrived" is only said when no byte of the question
 * was sent. There is no encryption and nobody is asked who they are: control ports belong into a network that is trusted. RFC 0007.
 */
@NullMarked
package io.forebay.cluster.transport;

import org.jspecify.annotations.NullMarked;
