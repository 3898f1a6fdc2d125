/** Raw sockets: frames that no client library would send, and the answers they must get. */
@NullMarked
package io.forebay.conformance.wire;

import org.jspecify.annotations.NullMarked;
