/**
 * A shard: opening, flushing, releasing and cleaning of a group of partitions that live together. Owned by its shard loop.
 */
@NullMarked
package io.forebay.log.shard;

import org.jspecify.annotations.NullMarked;
