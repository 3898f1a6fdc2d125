package io.forebay.log.shard;

/**
 * Limits of every shard of a node.
 *
 * @param flushBytes unflushed batches at which a shard writes a segment
 * @param flushFrames unflushed frames at which it does so in any case: bounds the index in memory (32 bytes a frame)
 * @param mergeFanIn segments of similar size that are merged into one
 * @param mergeRateBytes bytes a second that merging may read on the node
 * @param largestSegmentBytes segments are not merged beyond this
 * @param graceMs how long a replaced segment stays for readers that are at it
 * @param snapshotBytes memories larger than this go to an object of their own instead of into each manifest
 */
public record ShardConfig(
        long flushBytes,
        int flushFrames,
        int mergeFanIn,
        long mergeRateBytes,
        long largestSegmentBytes,
        long graceMs,
        int snapshotBytes) {

    public static final ShardConfig DEFAULT =
            new ShardConfig(16L << 20, 64_000, 8, 32L << 20, 1L << 30, 60_000, 256 << 10);

    public ShardConfig {
        require(flushBytes > 0, "shard.flush.bytes is positive");
        require(flushFrames > 0, "a shard may keep at least one unflushed frame");
        require(mergeFanIn >= 2, "merging takes at least two segments");
        require(mergeRateBytes > 0, "compaction.rate.bytes is positive");
        require(largestSegmentBytes > 0, "segments may hold something");
        require(graceMs >= 0, "the grace period is not negative");
        require(snapshotBytes >= 0, "the size of memories is not negative");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
