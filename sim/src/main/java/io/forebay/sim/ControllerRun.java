package io.forebay.sim;

import io.forebay.cluster.image.ShardImage;
import io.forebay.model.ShardId;
import io.forebay.sim.workload.SteadyWorkload;
import io.forebay.sim.workload.Workload;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Nodes that are controllers only die and come back, one or all of them, for a moment or for long: clients of the others notice nothing, and no shard moves. */
public final class ControllerRun {

    private static final int PARTITIONS = 6;
    private static final int DEATHS = 8;
    private static final int AWAY_MAX_MS = 20_000;
    /** Nodes that have just begun are given their share one shard after the other. */
    private static final int BALANCE_MS = 10_000;

    private ControllerRun() {}

    /**
     * Runs a seed.
     *
     * @return how often a node died that led
     * @throws AssertionError if a client noticed anything
     */
    public static int run(long seed) {
        World world = World.withControllersApart(seed);
        RandomGenerator random = world.random("controllers");
        world.startAll();
        world.awaitReady();
        world.createTopic("t", PARTITIONS);
        world.simulation().runFor(BALANCE_MS);
        world.awaitReady();
        Map<ShardId, ShardImage> owners = world.owners();
        List<Workload> clients = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            clients.add(new SteadyWorkload(world, world.topic("t"), partition));
        }
        clients.forEach(Workload::start);
        int leaders = 0;
        for (int i = 0; i < DEATHS; i++) {
            world.simulation().runFor(random.nextInt(5_000));
            boolean all = random.nextInt(3) == 0;
            List<SimulatedNode> dying = world.nodes().stream()
                    .filter(node -> all ? world.isController(node) : node.leads())
                    .toList();
            for (SimulatedNode node : dying) {
                leaders += node.leads() ? 1 : 0;
                world.store().crash(node.process());
            }
            world.simulation().runFor(random.nextInt(AWAY_MAX_MS));
            dying.forEach(node -> {
                SimulatedNode unused = world.startNode(node.nodeId());
            });
        }
        clients.forEach(Workload::stop);
        world.await(() -> clients.stream().allMatch(Workload::settled), "the last answer");
        world.awaitReady();
        clients.forEach(Workload::check);
        if (!world.owners().equals(owners)) {
            throw new AssertionError("shards had " + owners + " and have " + world.owners());
        }
        return leaders;
    }
}
