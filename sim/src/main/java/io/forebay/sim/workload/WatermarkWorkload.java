package io.forebay.sim.workload;

import io.forebay.broker.partition.Partition;
import io.forebay.model.Loop;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;

/** Asks any life of any node for the end of a partition, those that stand still too: what they show when they go on must not be too old. */
public final class WatermarkWorkload implements Workload {

    private static final int PAUSE_MAX_MS = 60;

    private final World world;
    private final RandomGenerator random;
    private final UUID topicId;
    private final int partition;
    private final Loop loop;
    private boolean stopped;

    public WatermarkWorkload(World world, UUID topicId, int partition) {
        this.world = world;
        this.random = world.random("watermark-" + partition);
        this.topicId = topicId;
        this.partition = partition;
        this.loop = world.clients().loop("client");
    }

    @Override
    public void start() {
        ask();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean settled() {
        return true;
    }

    @Override
    public void check() {
        // Each answer is checked when it is given.
    }

    private void ask() {
        if (stopped) {
            return;
        }
        List<SimulatedNode> asked =
                world.lives().stream().filter(life -> !life.process().dead()).toList();
        if (!asked.isEmpty()) {
            SimulatedNode node = asked.get(random.nextInt(asked.size()));
            world.toNode(node, random, () -> show(node));
        }
        var unused = loop.schedule(this::ask, 1 + random.nextInt(PAUSE_MAX_MS));
    }

    /** On the node. */
    private void show(SimulatedNode node) {
        Partition source = node.partition(topicId, partition);
        if (source == null) {
            return;
        }
        source.loop().execute(() -> {
            var unused = source.listOffset(ListOffsetsRequest.LATEST_TIMESTAMP, false, -1)
                    .thenAccept(shown -> {
                        if (shown.error() == Errors.NONE) {
                            world.witness().shows(node, topicId, partition, shown.offset());
                        }
                    });
        });
    }

    @Override
    public String toString() {
        return "who asks for the end of partition " + partition;
    }
}
