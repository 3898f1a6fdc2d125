/**
 * A view over one Kafka record batch of version 2, and nothing of Kafka beyond that.
 */
@NullMarked
package io.forebay.log.batch;

import org.jspecify.annotations.NullMarked;
