/**
 * Immutable objects that hold the batches of one shard, sorted by partition. Formats: docs/formats/segment.md.
 */
@NullMarked
package io.forebay.log.segment;

import org.jspecify.annotations.NullMarked;
