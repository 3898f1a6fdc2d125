/**
 * What every protocol calls: partitions with their semantics, reads that wait, coordinators, administration.
 *
 * <p>Front ends hold no state worth keeping; they turn bytes into calls on {@link io.forebay.broker.Broker}. A
 * {@code partition.Partition} lives on the loop of its shard. Results are values with a Kafka error code; exceptions are for bugs.
 *
 * <p>Read first: {@link io.forebay.broker.Broker}, {@code partition.Partition}.
 */
@NullMarked
package io.forebay.broker;

import org.jspecify.annotations.NullMarked;
