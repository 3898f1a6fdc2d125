/**
 * Group coordinators of a simulated node. Kafka's service makes its own threads, so the state machines and the runtime of that service
 * run here on simulated loops, over the product's own log, loader and image.
 *
 * <p>Not seen here: races between the service's threads and the partitions' loops. An event runs on its partition's loop, whole.
 */
@NullMarked
package io.forebay.sim.groups;

import org.jspecify.annotations.NullMarked;
