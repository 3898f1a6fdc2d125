/**
 * A node's membership: finding the controller, registering sessions, attending, following the image. The rules are in docs/rfcs/0007-cluster.md.
 *
 * <p>Owned by the control loop; time, chance, the store and the way to other nodes are passed in.
 */
@NullMarked
package io.forebay.cluster.member;

import org.jspecify.annotations.NullMarked;
