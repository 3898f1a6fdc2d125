/** Questions about offsets of partitions: ListOffsets, OffsetForLeaderEpoch, DeleteRecords. */
@NullMarked
package io.forebay.kafka.offsets;

import org.jspecify.annotations.NullMarked;
