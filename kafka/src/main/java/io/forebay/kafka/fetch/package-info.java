/**
 * Fetch: records on their way out, and the sessions that spare clients from naming all their partitions each time (KIP-227).
 *
 * <p>A session belongs to the connection that made it, is used on that connection's loop only, and ends with it; so it needs no lock. What all
 * loops share is only the count of sessions and who may be evicted, which is touched when sessions are made and ended.
 *
 * <p>Records go from the broker's pages to the socket as they lie.
 *
 * <p>Read first: {@link io.forebay.kafka.fetch.FetchHandler}, {@link io.forebay.kafka.fetch.FetchSession}.
 */
@NullMarked
package io.forebay.kafka.fetch;

import org.jspecify.annotations.NullMarked;
