/**
 * The client: a process of its own ({@link io.forebay.bench.load.ClientMain}) that puts loads on any Kafka-compatible
 * address with the stock Java client, and the handle that the benchmark drives it by
 * ({@link io.forebay.bench.load.ClientProcess}).
 *
 * <p>The two speak in lines ({@link io.forebay.bench.load.Line}): one request on standard input, one answer on standard
 * output, never two at a time. One client process serves all targets, so its compiled code is equally warm for each.
 * A load's figures are taken inside the client between "connected, metadata known" and "last acknowledgement", so that
 * connecting is not part of them. The client ends when its standard input ends.
 */
@NullMarked
package io.forebay.bench.load;

import org.jspecify.annotations.NullMarked;
