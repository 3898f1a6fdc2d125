/**
 * The root: the cluster's own metadata, who owns it, and who owns what else.
 *
 * <p>Metadata is a sequence of records in the root's own journal; {@link io.forebay.cluster.image.ClusterImage} is what replaying
 * them gives. Only the controller (the owner of the newest term) writes; nobody is told a decision before it is flushed.
 */
@NullMarked
package io.forebay.cluster;

import org.jspecify.annotations.NullMarked;
