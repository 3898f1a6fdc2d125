/** Which session should own which shard. Pure functions of the image. */
@NullMarked
package io.forebay.cluster.placement;

import org.jspecify.annotations.NullMarked;
