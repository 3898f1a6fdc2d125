package io.forebay.log;

import io.forebay.log.journal.FenceConfig;
import io.forebay.log.journal.JournalConfig;
import io.forebay.log.shard.ShardConfig;

/**
 * Limits of one node's log.
 *
 * @param lanes journals of a session that are written side by side; shard n goes to lane n modulo this
 * @param unretiredBytes size of the session's journal above which its oldest files are freed by flushing what lies in them
 * @param openParallelism shards that are being opened at the same time; on a store without append eight times as many
 * @param indexBytes memory for indexes of segments, for each shard loop
 * @param checkMs time between two looks for what is to be flushed, merged or deleted
 */
public record LogConfig(
        JournalConfig journal,
        FenceConfig fence,
        ShardConfig shard,
        int lanes,
        long unretiredBytes,
        int openParallelism,
        long indexBytes,
        long checkMs) {

    public static final LogConfig DEFAULT = new LogConfig(
            JournalConfig.DEFAULT, FenceConfig.DEFAULT, ShardConfig.DEFAULT, 1, 4L << 30, 32, 8L << 20, 1_000);

    public LogConfig {
        require(lanes >= 1 && lanes <= 64, "journal.lanes is 1 to 64");
        require(unretiredBytes > 0, "journal.unretired.bytes is positive");
        require(openParallelism > 0, "at least one shard is opened at a time");
        require(indexBytes >= 0, "memory for indexes is not negative");
        require(checkMs > 0, "the time between two looks is positive");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
