package io.forebay.sim.world;

import io.forebay.model.Loop;
import java.util.random.RandomGenerator;

/**
 * A client's connection to one life of the node: messages arrive in the order in which they were sent, none after it was closed. What the
 * node has received by then it still works on. Owned by the simulation's thread.
 */
public final class Connection {

    private final World world;
    private final SimulatedNode node;
    private final RandomGenerator random;
    private final Loop socket;
    private long lastArrivalNanos;
    private boolean closed;

    Connection(World world, SimulatedNode node, RandomGenerator random) {
        this.world = world;
        this.node = node;
        this.random = random;
        this.socket = node.process().loop("socket");
    }

    public SimulatedNode node() {
        return node;
    }

    /** Brings a message to the loop of this connection's socket. */
    public void send(Runnable task) {
        long now = world.simulation().clock().nanos();
        lastArrivalNanos = Math.max(lastArrivalNanos, now + World.networkNanos(random));
        world.simulation().after(lastArrivalNanos - now, () -> {
            if (!closed && !node.process().dead()) {
                socket.execute(task);
            }
        });
    }

    /** Gives up on it. */
    public void close() {
        closed = true;
    }
}
