/** The store room. */
@NullMarked
package io.forebay.store;

import org.jspecify.annotations.NullMarked;
