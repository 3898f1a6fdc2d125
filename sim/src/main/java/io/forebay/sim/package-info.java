/** The sim room. */
@NullMarked
package io.forebay.sim;

import org.jspecify.annotations.NullMarked;
