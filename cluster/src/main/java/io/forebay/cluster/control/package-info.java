/**
 * The controller and the way to it: who leads, which sessions live, what they own. The rules are in docs/rfcs/0007-cluster.md.
 *
 * <p>Everything mutable is owned by the control loop; time, chance, the store and the way to other nodes are passed in, so that the simulator runs the
 * same code.
 */
@NullMarked
package io.forebay.cluster.control;

import org.jspecify.annotations.NullMarked;
