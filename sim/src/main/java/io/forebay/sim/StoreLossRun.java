package io.forebay.sim;

import io.forebay.cluster.image.ShardImage;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.util.random.RandomGenerator;

/**
 * One node of three cannot reach the store, but talks to the others as ever: these take its shards while it lasts, and one of them leads if it did. Then nobody can
 * reach the store for a while, and nothing changes hands.
 */
public final class StoreLossRun {

    private static final int PARTITIONS = 6;
    private static final int BALANCE_MS = 10_000;
    private static final int OUTAGE_MAX_MS = 30_000;

    private StoreLossRun() {}

    /**
     * Runs a seed.
     *
     * @return whether the node that lost the store led the cluster
     * @throws AssertionError if its shards stayed where nobody could use them
     */
    public static boolean run(long seed) {
        World world = World.withThreeNodes(seed);
        RandomGenerator random = world.random("store loss");
        world.startAll();
        world.awaitReady();
        world.createTopic("t", PARTITIONS);
        world.simulation().runFor(BALANCE_MS);
        world.awaitReady();
        SimulatedNode cut = world.nodes().get(random.nextInt(world.nodes().size()));
        boolean led = cut.leads();

        world.store().cutOff(cut.process());
        // Its proof ends, is missing for a time-out; if it led, that goes twice, and somebody claims.
        world.simulation().runFor(8 * world.sessionTimeoutMs());
        for (ShardImage shard : world.owners().values()) {
            if (shard.ownerNode() == cut.nodeId()) {
                throw new AssertionError("shard " + shard.id() + " still belongs to " + cut.process());
            }
        }
        if (cut.leads()) {
            throw new AssertionError(cut.process() + " still leads");
        }
        world.awaitReady();

        world.store().reconnect(cut.process());
        world.awaitReady();
        world.simulation().runFor(BALANCE_MS);
        world.awaitReady();
        var owners = world.owners();
        world.store().stall(random.nextInt(OUTAGE_MAX_MS));
        world.simulation().runFor(OUTAGE_MAX_MS);
        world.awaitReady();
        if (!world.owners().equals(owners)) {
            throw new AssertionError("an outage for all moved shards: " + owners + " and then " + world.owners());
        }
        return led;
    }
}
