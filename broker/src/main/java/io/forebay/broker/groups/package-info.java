/**
 * The group coordinator over internal topics: the only place that knows the coordinator modules of Kafka.
 */
@NullMarked
package io.forebay.broker.groups;

import org.jspecify.annotations.NullMarked;
