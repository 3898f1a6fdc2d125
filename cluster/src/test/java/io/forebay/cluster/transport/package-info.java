/** Real sockets on loopback: what a control port says to peers that are fine, silent, gone or talk nonsense. */
@NullMarked
package io.forebay.cluster.transport;

import org.jspecify.annotations.NullMarked;
