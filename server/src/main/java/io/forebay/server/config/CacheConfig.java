package io.forebay.server.config;

/** The page cache of journal and segments. {@code readAheadMaxBytes} 0 turns reading ahead off. */
public record CacheConfig(long bytes, long readAheadMaxBytes) {}
