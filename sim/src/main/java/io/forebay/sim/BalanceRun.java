package io.forebay.sim;

import io.forebay.cluster.image.ShardImage;
import io.forebay.model.ShardId;
import io.forebay.sim.workload.ProducerWorkload;
import io.forebay.sim.workload.Workload;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * One node has far more to do than the others, and later a node joins; clients do much the same all the time and nothing fails. Shards move until loads are even, and then never
 * again; none comes back to where it was.
 */
public final class BalanceRun {

    private static final int PARTITIONS = 12;
    private static final int BUSY_PRODUCERS = 3;
    /** Young means, sessions and ownerships all have their minute; then moves come one by one, a minute apart for the same shard. */
    private static final int SETTLE_MS = 240_000;

    private static final int REST_MS = 60_000;

    private BalanceRun() {}

    /**
     * Runs a seed.
     *
     * @return how many shards moved for the sake of load before the node joined
     * @throws AssertionError if a shard moved back, or moves did not come to an end
     */
    public static int run(long seed) {
        World world = World.withEvenLoads(seed);
        RandomGenerator random = world.random("balance");
        world.startAll();
        world.awaitReady();
        world.createTopic("t", PARTITIONS);
        world.awaitReady();
        // Those that have just begun get their share by number.
        world.simulation().runFor(REST_MS);
        List<Workload> clients = producers(world, random);
        clients.forEach(Workload::start);
        int moves = comeToRest(world, false);

        SimulatedNode unused = world.startNode(world.freshNodeId());
        int unusedMoves = comeToRest(world, true);

        clients.forEach(Workload::stop);
        world.await(() -> clients.stream().allMatch(Workload::settled), "the last answer");
        clients.forEach(Workload::check);
        return moves;
    }

    /** One for each partition, and more for those of one node. */
    private static List<Workload> producers(World world, RandomGenerator random) {
        UUID topic = world.topic("t");
        int busy = world.leader(topic, random.nextInt(PARTITIONS)).orElseThrow().nodeId();
        List<Workload> clients = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            int nodeId = world.leader(topic, partition).orElseThrow().nodeId();
            int producers = nodeId == busy ? BUSY_PRODUCERS : 1;
            for (int i = 0; i < producers; i++) {
                clients.add(ProducerWorkload.slow(world, topic, partition, 100 * (i + 1) + partition));
            }
        }
        return clients;
    }

    /**
     * How many moves it took; each shard has been with a session at most once meanwhile.
     *
     * @param joined whether a node has just begun: it is filled by number, and a shard that turns out to be too much for it goes on, maybe to where it was
     */
    private static int comeToRest(World world, boolean joined) {
        Map<ShardId, ShardImage> before = world.owners();
        world.simulation().runFor(SETTLE_MS);
        Map<ShardId, ShardImage> rested = world.owners();
        world.simulation().runFor(REST_MS);
        if (!world.owners().equals(rested)) {
            throw new AssertionError("shards still move: " + rested + " became " + world.owners());
        }
        int moves = 0;
        for (ShardImage shard : before.values()) {
            Collection<Long> sessions =
                    world.witness().ownersOf(shard.id()).tailMap(shard.epoch()).values();
            if (new HashSet<>(sessions).size() < sessions.size() - (joined ? 1 : 0)) {
                throw new AssertionError("shard " + shard.id() + " came back: its sessions were " + sessions);
            }
            moves += sessions.size() - 1;
        }
        if (moves > before.size()) {
            throw new AssertionError(moves + " moves of " + before.size() + " shards");
        }
        return moves;
    }
}
