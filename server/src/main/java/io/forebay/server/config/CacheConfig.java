package io.forebay.server.config;

/**
 * The page cache, outside the heap.
 *
 * @param tailBytes for the newest pages of the journal
 * @param coldBytes for pages read from the store
 * @param readAheadMaxBytes the most that is read ahead of one reader; 0 turns it off
 */
public record CacheConfig(long tailBytes, long coldBytes, int readAheadMaxBytes) {}
