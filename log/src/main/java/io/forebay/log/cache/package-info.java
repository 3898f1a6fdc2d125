/**
 * Pages of objects in memory: the write buffer and tail cache of the journal, and the read-ahead of catch-up readers in a share of its
 * own that never displaces the tail.
 *
 * <p>All memory is off-heap and has a hard limit; when it is used up, cold reads are refused and the journal waits. A page is counted: it
 * is overwritten only after the last reader let go. Looking up takes no lock.
 *
 * <p>Read first: {@link io.forebay.log.cache.PageCache}, {@link io.forebay.log.cache.TailWriter}. Reasons: docs/rfcs/0003-log.md.
 */
@NullMarked
package io.forebay.log.cache;

import org.jspecify.annotations.NullMarked;
