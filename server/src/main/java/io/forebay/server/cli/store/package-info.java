/** The commands about a store itself: they read it without a node, beside one if there is one, and write nothing into it. */
@NullMarked
package io.forebay.server.cli.store;

import org.jspecify.annotations.NullMarked;
