/**
 * Tests of what commands say and how.
 */
@NullMarked
package io.forebay.server.cli.terminal;

import org.jspecify.annotations.NullMarked;
