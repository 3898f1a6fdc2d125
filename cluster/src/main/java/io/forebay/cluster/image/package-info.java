/** The immutable image of the cluster's metadata, safe to share between threads. */
@NullMarked
package io.forebay.cluster.image;

import org.jspecify.annotations.NullMarked;
