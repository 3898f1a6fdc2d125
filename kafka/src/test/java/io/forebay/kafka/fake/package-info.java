/** A broker in memory for the tests of this room: partitions as lists of batches, acknowledgements that can be held back. */
@NullMarked
package io.forebay.kafka.fake;

import org.jspecify.annotations.NullMarked;
