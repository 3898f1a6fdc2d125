/** The server room. */
@NullMarked
package io.forebay.server;

import org.jspecify.annotations.NullMarked;
