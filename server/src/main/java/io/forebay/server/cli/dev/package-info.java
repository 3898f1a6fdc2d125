/**
 * The throw-away cluster of {@code start --dev-cluster}: one process for each node, on loopback, over one store.
 *
 * <p>{@link io.forebay.server.cli.dev.DevPlan} says what is to be started and is pure; {@link io.forebay.server.cli.dev.DevCluster} starts,
 * listens and ends. A node that ends by itself stays away, so that one can be killed to see what happens; all end with the command, even
 * if that is killed, because each reads its standard input and stops when it ends.
 */
@NullMarked
package io.forebay.server.cli.dev;

import org.jspecify.annotations.NullMarked;
