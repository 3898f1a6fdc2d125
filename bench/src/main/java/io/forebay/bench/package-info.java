/** The bench room. */
@NullMarked
package io.forebay.bench;

import org.jspecify.annotations.NullMarked;
