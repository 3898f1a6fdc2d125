/**
 * Reads over many partitions that wait for enough data, without polling.
 */
@NullMarked
package io.forebay.broker.fetch;

import org.jspecify.annotations.NullMarked;
