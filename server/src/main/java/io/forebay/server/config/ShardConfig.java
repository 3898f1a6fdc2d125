package io.forebay.server.config;

/**
 * Shards, their flushes and their upkeep.
 *
 * @param flushBytes unflushed bytes at which a shard writes a segment
 * @param userCount shards for users' partitions, fixed when the store is first used
 * @param internalCount shards for internal partitions, fixed when the store is first used
 * @param compactionRateBytes bytes per second that compaction may read on this node
 */
public record ShardConfig(
        long flushBytes, int userCount, int internalCount, long compactionRateBytes, long retentionCheckIntervalMs) {}
