/**
 * Tests of what the node makes of its configuration; the node itself is tested as a process, in {@code conformance}.
 */
@NullMarked
package io.forebay.server.node;

import org.jspecify.annotations.NullMarked;
