package io.forebay.sim;

import io.forebay.cluster.image.ShardImage;
import io.forebay.model.ShardId;
import io.forebay.sim.workload.GroupWorkload;
import io.forebay.sim.workload.ProducerWorkload;
import io.forebay.sim.workload.ReaderWorkload;
import io.forebay.sim.workload.WatermarkWorkload;
import io.forebay.sim.workload.Workload;
import io.forebay.sim.world.Nemesis;
import io.forebay.sim.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.internals.Topic;

/** One run of one seed: break things, then stop and demand that everything promised is there. */
public final class SeedRun {

    private static final long SETTLE_MS = 300_000;
    /** Requests that were sent before the faults stopped may still arrive for so long. */
    private static final long LATE_MS = 130_000;

    /** For so long nothing must happen then. */
    private static final long QUIET_MS = 20_000;

    private SeedRun() {}

    /**
     * What a run was like.
     *
     * @param traceHash the same for the same seed and program
     * @param steps of the simulation
     * @param lives of all nodes
     */
    public record Outcome(long traceHash, long steps, int lives) {}

    /**
     * Runs a seed.
     *
     * @param chaosMs simulated time during which things go wrong
     * @throws AssertionError if a promise was broken
     */
    public static Outcome run(long seed, long chaosMs) {
        World world = new World(seed);
        world.startAll();
        world.awaitReady();
        List<Workload> workloads = workloads(world);
        workloads.forEach(Workload::start);
        Nemesis nemesis = new Nemesis(world);
        nemesis.start();
        world.simulation().runFor(chaosMs);
        nemesis.stop();
        workloads.forEach(Workload::stop);
        world.awaitReady();
        if (!world.simulation().runUntil(() -> workloads.stream().allMatch(Workload::settled), SETTLE_MS)) {
            throw new AssertionError(
                    workloads.stream().filter(w -> !w.settled()).toList() + " are still not answered " + SETTLE_MS
                            + " ms after the last fault");
        }
        workloads.forEach(Workload::check);
        world.simulation().runFor(LATE_MS);
        requireQuiet(world);
        // Everything again, by nodes that have only the store.
        world.restartAll();
        world.awaitReady();
        workloads.forEach(Workload::check);
        return new Outcome(
                world.simulation().traceHash(),
                world.simulation().steps(),
                world.lives().size());
    }

    /** When nothing has happened for long, no shard moves any more. */
    private static void requireQuiet(World world) {
        Map<ShardId, ShardImage> owners = world.owners();
        world.simulation().runFor(QUIET_MS);
        if (!world.owners().equals(owners)) {
            throw new AssertionError("shards move although nothing happens: " + owners + " became " + world.owners());
        }
    }

    private static List<Workload> workloads(World world) {
        RandomGenerator random = world.random("workloads");
        int partitions = 1 + random.nextInt(4);
        world.createTopic("t", partitions);
        List<Workload> all = new ArrayList<>();
        int producers = 1 + random.nextInt(5);
        for (int i = 0; i < producers; i++) {
            all.add(new ProducerWorkload(
                    world, world.topic("t"), random.nextInt(partitions), 100 + i, random.nextInt(3) > 0));
        }
        for (int partition = 0; partition < partitions; partition++) {
            all.add(new ReaderWorkload(world, world.topic("t"), partition));
            all.add(new WatermarkWorkload(world, world.topic("t"), partition));
        }
        int groups = random.nextInt(4);
        int offsetsPartitions = 1 + random.nextInt(3);
        if (groups > 0) {
            world.createTopic(Topic.GROUP_METADATA_TOPIC_NAME, offsetsPartitions);
        }
        for (int i = 0; i < groups; i++) {
            all.add(new GroupWorkload(world, "group-" + i, "t", partitions, offsetsPartitions, random.nextBoolean()));
        }
        return all;
    }
}
