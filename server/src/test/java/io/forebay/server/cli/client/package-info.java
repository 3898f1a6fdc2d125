/**
 * Tests of how places in a topic are written.
 */
@NullMarked
package io.forebay.server.cli.client;

import org.jspecify.annotations.NullMarked;
