/** Tests of the root's objects. */
@NullMarked
package io.forebay.cluster.root;

import org.jspecify.annotations.NullMarked;
