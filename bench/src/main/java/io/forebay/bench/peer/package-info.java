/**
 * Servers of others that Forebay stands on, as processes on loopback: HDFS ({@link io.forebay.bench.peer.HdfsServers}) and S3
 * ({@link io.forebay.bench.peer.S3Server}), from published artifacts. The tests of {@code conformance} break them, the
 * benchmark measures them; both start them here.
 *
 * <p>Kept true: everything listens on 127.0.0.1, keeps its port and its folder over its lives, and ends with this JVM.
 */
@NullMarked
package io.forebay.bench.peer;

import org.jspecify.annotations.NullMarked;
