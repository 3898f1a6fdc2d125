/**
 * Pages of objects in memory: the write buffer and tail cache, and the read-ahead of catch-up readers in a share of its own.
 */
@NullMarked
package io.forebay.log.cache;

import org.jspecify.annotations.NullMarked;
