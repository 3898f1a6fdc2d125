/** The log room. */
@NullMarked
package io.forebay.log;

import org.jspecify.annotations.NullMarked;
