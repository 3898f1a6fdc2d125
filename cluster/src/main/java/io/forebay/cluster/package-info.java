/** The cluster room. */
@NullMarked
package io.forebay.cluster;

import org.jspecify.annotations.NullMarked;
