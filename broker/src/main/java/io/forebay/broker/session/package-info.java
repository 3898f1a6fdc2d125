/**
 * One session of this node: the shards it has opened and the partitions it serves, as the newest image says; and what follows when it ends.
 *
 * <p>Owned by the node's control loop; {@link io.forebay.broker.session.ServedPartitions} may be read from any thread.
 */
@NullMarked
package io.forebay.broker.session;

import org.jspecify.annotations.NullMarked;
