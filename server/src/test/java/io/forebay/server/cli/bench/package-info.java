/** Tests of the load commands' measuring. */
@NullMarked
package io.forebay.server.cli.bench;

import org.jspecify.annotations.NullMarked;
