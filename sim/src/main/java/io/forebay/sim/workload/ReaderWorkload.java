package io.forebay.sim.workload;

import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.model.Loop;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * A consumer that follows one partition, sometimes on a node that should be over. What it has seen once must stay so for ever, also
 * what it saw through another life: nothing above a high watermark may ever be shown.
 */
public final class ReaderWorkload implements Workload {

    private static final int TIMEOUT_MS = 3_000;

    private final World world;
    private final RandomGenerator random;
    private final PartitionReader reader;
    private final UUID topicId;
    private final int partition;
    private final Loop loop;
    private final Map<Long, Batches.Read> seen = new HashMap<>();
    private long next;
    private int round;
    private boolean stopped;

    public ReaderWorkload(World world, UUID topicId, int partition) {
        this.world = world;
        this.random = world.random("reader-" + partition);
        this.reader = new PartitionReader(world, topicId, partition);
        this.topicId = topicId;
        this.partition = partition;
        this.loop = world.clients().loop("client");
    }

    @Override
    public void start() {
        read();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean settled() {
        return true;
    }

    private void read() {
        if (stopped) {
            return;
        }
        int mine = ++round;
        SimulatedNode node = world.believed(topicId, partition, random);
        long from = next;
        world.toNode(
                node,
                random,
                () -> reader.fetch(node, from, result -> {
                    List<Batches.Read> read = result.map(r -> taken(r, from)).orElse(List.of());
                    world.toClients(random, () -> answered(mine, read));
                }));
        var unused = loop.schedule(() -> answered(mine, List.of()), TIMEOUT_MS);
    }

    private static List<Batches.Read> taken(FetchedPartition fetched, long from) {
        List<Batches.Read> read = Batches.read(fetched.records(), from);
        fetched.records().release();
        return read;
    }

    private void answered(int mine, List<Batches.Read> read) {
        for (Batches.Read one : read) {
            remember(one);
        }
        if (mine != round || stopped) {
            return;
        }
        if (!read.isEmpty()) {
            next = read.get(read.size() - 1).offset() + 1;
        }
        if (random.nextInt(20) == 0) {
            next = next == 0 ? 0 : random.nextLong(next);
        }
        round++;
        var unused = loop.schedule(this::read, random.nextInt(100));
    }

    private void remember(Batches.Read one) {
        Batches.Read before = seen.put(one.offset(), one);
        if (before != null && !before.equals(one)) {
            throw new AssertionError("partition " + partition + " showed " + before + " and later " + one);
        }
    }

    @Override
    public void check() {
        Map<Long, Batches.Read> there = new HashMap<>();
        reader.readAll().forEach(read -> there.put(read.offset(), read));
        seen.forEach((offset, read) -> {
            if (!read.equals(there.get(offset))) {
                throw new AssertionError("partition " + partition + " showed " + read + " and has now "
                        + Optional.ofNullable(there.get(offset)));
            }
        });
    }

    @Override
    public String toString() {
        return "reader of partition " + partition;
    }
}
