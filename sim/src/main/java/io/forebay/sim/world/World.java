package io.forebay.sim.world;

import io.forebay.cluster.command.CreateTopics;
import io.forebay.model.When;
import io.forebay.testkit.FaultyStore;
import io.forebay.testkit.SimulatedProcess;
import io.forebay.testkit.Simulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.internals.Topic;

/** A store, the lives of one node on it, and its topics. Owned by the simulation's thread. */
public final class World {

    private static final long PATIENCE_MS = 300_000;

    private final Simulation simulation;
    private final FaultyStore store;
    private final WorldConfig config;
    private final SimulatedProcess clients;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<String, UUID> topics = new HashMap<>();
    private boolean supervised;

    public World(long seed) {
        this.simulation = new Simulation(seed);
        this.store = new FaultyStore(simulation);
        if (simulation.random("kind of store").nextInt(3) == 0) {
            store.withoutAppend();
        }
        this.config = WorldConfig.random(simulation.random("config"));
        this.clients = simulation.process("clients");
    }

    public Simulation simulation() {
        return simulation;
    }

    public FaultyStore store() {
        return store;
    }

    /** Where clients live: it never fails. */
    public SimulatedProcess clients() {
        return clients;
    }

    public RandomGenerator random(String purpose) {
        return simulation.random(purpose);
    }

    /** The newest life. */
    public SimulatedNode node() {
        return nodes.get(nodes.size() - 1);
    }

    /** A life that a client may take for the current one: mostly the newest, sometimes one that should be over. */
    public SimulatedNode believed(RandomGenerator random) {
        if (random.nextInt(8) == 0) {
            return nodes.get(random.nextInt(nodes.size()));
        }
        return node();
    }

    /** Begins a new life, whatever became of the others. */
    public SimulatedNode startNode() {
        SimulatedNode node = new SimulatedNode(simulation, store, config, nodes.size());
        nodes.add(node);
        // A process that was taken over ends.
        When.done(
                node.sessions().whenTakenOver(),
                (over, none) -> simulation.after(0, () -> {
                    store.crash(node.process());
                    if (supervised && node().process().dead()) {
                        SimulatedNode unused = startNode();
                    }
                }));
        return node;
    }

    /**
     * Leaves one life, and begins another whenever it ends by itself. Of several lives that are left an older one may have taken over
     * from a newer one that does not know it yet: then all end and a new one begins.
     */
    public void leaveOneLife() {
        supervised = true;
        List<SimulatedNode> left =
                nodes.stream().filter(node -> !node.process().dead()).toList();
        if (left.equals(List.of(node()))) {
            node().process().resume();
            return;
        }
        left.forEach(node -> store.crash(node.process()));
        SimulatedNode unused = startNode();
    }

    /** All lives, dead ones too. */
    public List<SimulatedNode> nodes() {
        return List.copyOf(nodes);
    }

    public UUID topic(String name) {
        UUID id = topics.get(name);
        if (id == null) {
            throw new IllegalStateException("no topic " + name);
        }
        return id;
    }

    /** Creates a topic while nothing fails; one with the name of an internal topic lies in an internal shard. */
    public void createTopic(String name, int partitions) {
        var topic = new CreateTopics.NewTopic(name, partitions, Topic.isInternal(name), Map.of());
        var created = node().sessions().submit(new CreateTopics(List.of(topic), false));
        await(created::isDone, "topic " + name);
        topics.put(name, created.join().get(0).topic().id());
    }

    /** Runs until the condition holds; fails the run if it does not come to that. */
    public void await(java.util.function.BooleanSupplier condition, String what) {
        if (!simulation.runUntil(condition, PATIENCE_MS)) {
            throw new AssertionError(
                    what + ": nothing came within " + PATIENCE_MS + " ms after the faults had stopped");
        }
    }

    /** Connects a client to a life that it takes for the current one. */
    public Connection connect(RandomGenerator random) {
        return connect(believed(random), random);
    }

    /** Connects a client to a certain life. */
    public Connection connect(SimulatedNode node, RandomGenerator random) {
        return new Connection(this, node, random);
    }

    /** Brings a message from a client to a process after a while; it is lost if the process is dead by then. */
    public void toNode(SimulatedNode node, RandomGenerator random, Runnable task) {
        simulation.after(networkNanos(random), () -> {
            if (!node.process().dead()) {
                node.process().loop("socket").execute(task);
            }
        });
    }

    /** Brings an answer back to the clients. */
    public void toClients(RandomGenerator random, Runnable task) {
        simulation.after(networkNanos(random), () -> clients.loop("client").execute(task));
    }

    static long networkNanos(RandomGenerator random) {
        long slow = random.nextInt(50) == 0 ? 500_000_000L : 2_000_000L;
        return 20_000 + random.nextLong(slow);
    }

    /** Waits until the newest life serves; begins another if it ends instead. */
    public void awaitReady() {
        await(
                () -> {
                    if (node().process().dead()) {
                        SimulatedNode unused = startNode();
                    }
                    return node().ready().isDone() && !node().ready().isCompletedExceptionally();
                },
                "a start");
    }
}
