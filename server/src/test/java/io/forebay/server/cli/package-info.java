/** Tests of the command line, called in-process. */
@NullMarked
package io.forebay.server.cli;

import org.jspecify.annotations.NullMarked;
