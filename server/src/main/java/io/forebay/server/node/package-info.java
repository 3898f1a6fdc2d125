/**
 * The node: real threads, the real clock and store, and all rooms put together. The only place that knows everybody.
 */
@NullMarked
package io.forebay.server.node;

import org.jspecify.annotations.NullMarked;
