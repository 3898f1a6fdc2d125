/**
 * One partition of a shard: offsets, memory, appends and reads. Owned by the loop of its shard.
 */
@NullMarked
package io.forebay.log.partition;

import org.jspecify.annotations.NullMarked;
