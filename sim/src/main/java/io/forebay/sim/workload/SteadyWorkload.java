package io.forebay.sim.workload;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.ProduceListener;
import io.forebay.broker.partition.ProduceResult;
import io.forebay.broker.partition.Verifier;
import io.forebay.model.Loop;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.Errors;

/** Writes to one partition and reads what it wrote, for as long as nothing happens that a client may notice: the first error, or answer that is late, fails the run. */
public final class SteadyWorkload implements Workload {

    private static final int PAUSE_MAX_MS = 40;
    private static final int ANSWER_MS = 3_000;

    private final World world;
    private final RandomGenerator random;
    private final UUID topicId;
    private final int partition;
    private final PartitionReader reader;
    private final Loop loop;
    private long next;
    private int waiting;
    private boolean stopped;

    public SteadyWorkload(World world, UUID topicId, int partition) {
        this.world = world;
        this.random = world.random("steady-" + partition);
        this.topicId = topicId;
        this.partition = partition;
        this.reader = new PartitionReader(world, topicId, partition);
        this.loop = world.clients().loop("client");
    }

    @Override
    public void start() {
        act();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean settled() {
        return waiting == 0;
    }

    @Override
    public void check() {
        long there = reader.readAll().size();
        if (there != next) {
            throw new AssertionError("of " + next + " acknowledged records " + there + " are there");
        }
    }

    private void act() {
        if (stopped) {
            return;
        }
        SimulatedNode node = world.leader(topicId, partition)
                .orElseThrow(() -> new AssertionError("nobody leads partition " + partition));
        long number = next++;
        waiting++;
        boolean[] answered = new boolean[1];
        world.toNode(
                node,
                random,
                () -> produce(node, number, () -> {
                    answered[0] = true;
                    waiting--;
                }));
        var unused = loop.schedule(
                () -> {
                    if (!answered[0]) {
                        throw new AssertionError("record " + number + " of partition " + partition
                                + " was not written and read within " + ANSWER_MS + " ms");
                    }
                },
                ANSWER_MS);
        var unusedToo = loop.schedule(this::act, 1 + random.nextInt(PAUSE_MAX_MS));
    }

    private void produce(SimulatedNode node, long number, Runnable then) {
        Partition target = node.partition(topicId, partition);
        if (target == null) {
            throw new AssertionError(node.process() + " does not serve partition " + partition);
        }
        ByteBuffer records = Batches.batch(partition, number, 1, -1, -1);
        target.produce(records, Verifier.NOBODY, new ProduceListener() {
            @Override
            public void copied() {
                // The buffer is not used again.
            }

            @Override
            public void done(ProduceResult result) {
                require(node, "a write", result.error());
                world.toNode(node, random, () -> read(node, result.baseOffset(), then));
            }
        });
    }

    private void read(SimulatedNode node, long offset, Runnable then) {
        reader.fetch(node, offset, result -> {
            require(node, "a read", result.map(r -> r.error()).orElse(Errors.NOT_LEADER_OR_FOLLOWER));
            result.ifPresent(r -> r.records().release());
            world.toClients(random, then);
        });
    }

    private void require(SimulatedNode node, String what, Errors error) {
        if (error != Errors.NONE) {
            world.simulation()
                    .fail(new AssertionError(
                            what + " of partition " + partition + " failed at " + node.process() + ": " + error));
        }
    }

    @Override
    public String toString() {
        return "steady client of partition " + partition;
    }
}
