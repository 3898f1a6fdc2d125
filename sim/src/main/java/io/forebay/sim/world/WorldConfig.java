package io.forebay.sim.world;

import io.forebay.cluster.control.ControlConfig;
import io.forebay.cluster.image.Role;
import io.forebay.log.LogConfig;
import io.forebay.log.cache.CacheConfig;
import io.forebay.log.journal.FenceConfig;
import io.forebay.log.journal.JournalConfig;
import io.forebay.log.shard.ShardConfig;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Small limits drawn from the seed, so that rolls, flushes, merges and evictions happen all the time.
 *
 * @param nodes at the beginning
 * @param controllers how many of the first nodes are controllers and nothing else, when the others are not; 0: every node is everything
 */
public record WorldConfig(
        LogConfig log,
        JournalConfig rootJournal,
        CacheConfig cache,
        ControlConfig control,
        int nodes,
        int controllers,
        int userShards,
        int internalShards) {

    /** Clients of the simulator reach it. */
    private static final long LOW_LOAD_FLOOR_BYTES = 20_000;

    private static final int SHARDS_EACH = 4;

    private static final int[] NODES = {1, 1, 2, 3, 3, 3, 5};

    static WorldConfig random(RandomGenerator random) {
        int fileBytes = 4_096 + random.nextInt(60_000);
        int fileFrames = 10 + random.nextInt(500);
        int puts = 1 + fileFrames % JournalConfig.MAX_PUTS;
        JournalConfig journal = new JournalConfig(fileBytes, fileFrames, 1 << 20, 3_000, 4, 100, 50, puts);
        ShardConfig shard = new ShardConfig(
                2_000 + random.nextInt(60_000),
                5 + random.nextInt(200),
                3 + random.nextInt(4),
                1 << 20,
                1 << 20,
                100 + random.nextInt(2_000),
                random.nextInt(4) == 0 ? 0 : 10_000);
        LogConfig defaults = LogConfig.DEFAULT;
        LogConfig log = new LogConfig(
                journal,
                FenceConfig.DEFAULT,
                shard,
                1 + random.nextInt(2),
                10_000 + random.nextInt(200_000),
                1 + random.nextInt(4),
                defaults.indexBytes(),
                20 + random.nextInt(200));
        CacheConfig cache =
                new CacheConfig(4 << 10, (16L + random.nextInt(40)) << 12, (8L + random.nextInt(40)) << 12, 16 << 10);
        return new WorldConfig(
                log,
                new JournalConfig(8_192, 100, 1 << 20, 3_000, 4, 100, 50, puts),
                cache,
                new ControlConfig(
                        1_000 + random.nextInt(3_000),
                        random.nextBoolean() ? ControlConfig.LOAD_FLOOR_BYTES : LOW_LOAD_FLOOR_BYTES),
                NODES[random.nextInt(NODES.length)],
                0,
                1 + random.nextInt(6),
                1 + random.nextInt(3));
    }

    /** The same with two controllers and three nodes that are everything else. */
    WorldConfig withControllersApart() {
        return new WorldConfig(log, rootJournal, cache, control, 5, 2, userShards, internalShards);
    }

    /** The same with three nodes that are everything. */
    WorldConfig withThreeNodes() {
        return new WorldConfig(log, rootJournal, cache, control, 3, 0, userShards, internalShards);
    }

    /** The same with three nodes that have much the same to do, if the little that a few clients do counts. */
    WorldConfig withEvenLoads() {
        ControlConfig sensitive = new ControlConfig(control.sessionTimeoutMs(), LOW_LOAD_FLOOR_BYTES / 10);
        return new WorldConfig(log, rootJournal, cache, sensitive, 3, 0, 3 * SHARDS_EACH, 1);
    }

    /** What a node is. */
    Set<Role> roles(int nodeId) {
        if (controllers == 0) {
            return Role.ALL;
        }
        return nodeId <= controllers ? Set.of(Role.CONTROLLER) : Set.of(Role.BROKER, Role.COORDINATOR);
    }
}
