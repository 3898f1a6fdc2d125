/** Tests of the commands about stores. */
@NullMarked
package io.forebay.server.cli.store;

import org.jspecify.annotations.NullMarked;
