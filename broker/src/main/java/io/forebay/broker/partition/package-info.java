/**
 * A partition with Kafka semantics over its log: validation, idempotent producers, timestamps, retention. Owned by the loop of its shard.
 */
@NullMarked
package io.forebay.broker.partition;

import org.jspecify.annotations.NullMarked;
