package io.forebay.sim.world;

import io.forebay.broker.partition.Partition;
import io.forebay.cluster.command.CreateTopics;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.model.ShardId;
import io.forebay.model.When;
import io.forebay.testkit.FaultyStore;
import io.forebay.testkit.SimulatedProcess;
import io.forebay.testkit.Simulation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.internals.Topic;

/** A store, a network, nodes with one life after the other, and their topics. Owned by the simulation's thread. */
public final class World {

    private static final long PATIENCE_MS = 300_000;

    private final Simulation simulation;
    private final FaultyStore store;
    private final WorldConfig config;
    private final SimulatedNetwork network;
    private final SimulatedProcess clients;
    private final Witness witness;
    private final List<SimulatedNode> lives = new ArrayList<>();
    /** The newest life of each node, by node id. */
    private final Map<Integer, SimulatedNode> nodes = new TreeMap<>();

    private final Map<String, UUID> topics = new HashMap<>();
    private boolean supervised;

    public World(long seed) {
        this(seed, drawn -> drawn);
    }

    private World(long seed, UnaryOperator<WorldConfig> config) {
        this.simulation = new Simulation(seed);
        this.store = new FaultyStore(simulation);
        if (simulation.random("kind of store").nextInt(3) == 0) {
            store.withoutAppend();
        }
        this.config = config.apply(WorldConfig.random(simulation.random("config")));
        this.network = new SimulatedNetwork(this, simulation.random("network"));
        this.clients = simulation.process("clients");
        this.witness = new Witness(simulation, this.config.control().sessionTimeoutMs());
        var unused = new StoreWitness(this);
    }

    /** A world in which some nodes are controllers and nothing else, and the others are not. */
    public static World withControllersApart(long seed) {
        return new World(seed, WorldConfig::withControllersApart);
    }

    /** A world of three nodes that are everything. */
    public static World withThreeNodes(long seed) {
        return new World(seed, WorldConfig::withThreeNodes);
    }

    /** Session time-out of the cluster, in ms. */
    public long sessionTimeoutMs() {
        return config.control().sessionTimeoutMs();
    }

    /** A world of three nodes in which small differences of load count. */
    public static World withEvenLoads(long seed) {
        return new World(seed, WorldConfig::withEvenLoads);
    }

    public Simulation simulation() {
        return simulation;
    }

    public FaultyStore store() {
        return store;
    }

    SimulatedNetwork network() {
        return network;
    }

    /** Who sees what no node can see. */
    public Witness witness() {
        return witness;
    }

    /** Where clients live: it never fails. */
    public SimulatedProcess clients() {
        return clients;
    }

    public RandomGenerator random(String purpose) {
        return simulation.random(purpose);
    }

    // ------------------------------------------------------------------ nodes

    /** Begins a first life of every node. */
    public void startAll() {
        for (int id = 1; id <= config.nodes(); id++) {
            SimulatedNode unused = startNode(id);
        }
    }

    /** Begins a new life of a node, whatever became of the others. */
    public SimulatedNode startNode(int nodeId) {
        SimulatedNode node = new SimulatedNode(this, config, nodeId, lives.size());
        lives.add(node);
        nodes.put(nodeId, node);
        network.listens(node);
        // A process that was taken over ends.
        When.done(
                node.sessions().whenTakenOver(),
                (over, none) -> simulation.after(0, () -> {
                    store.crash(node.process());
                    if (supervised && nodes.get(nodeId) == node) {
                        SimulatedNode unused = startNode(nodeId);
                    }
                }));
        return node;
    }

    /** The newest life of each node. */
    public List<SimulatedNode> nodes() {
        return List.copyOf(nodes.values());
    }

    /** All lives, dead ones too. */
    public List<SimulatedNode> lives() {
        return List.copyOf(lives);
    }

    /** A node id that was never used. */
    public int freshNodeId() {
        return 1 + lives.stream().mapToInt(SimulatedNode::nodeId).max().orElse(0);
    }

    /** Ends all lives of a node; it never comes back. */
    void forget(int nodeId) {
        nodes.remove(nodeId);
        crashAll(nodeId);
    }

    private void crashAll(int nodeId) {
        for (SimulatedNode life : lives) {
            if (life.nodeId() == nodeId && !life.process().dead()) {
                store.crash(life.process());
            }
        }
    }

    /** The newest life of a random node. */
    SimulatedNode anyNode(RandomGenerator random) {
        List<SimulatedNode> all = nodes();
        return all.get(random.nextInt(all.size()));
    }

    /**
     * Leaves one life of each node, and begins another whenever it ends by itself. Of several lives of a node that are left an older one may have taken over
     * from a newer one that does not know it yet: then all of them end and a new one begins.
     */
    public void leaveOneLifeEach() {
        supervised = true;
        for (SimulatedNode newest : nodes()) {
            List<SimulatedNode> left = lives.stream()
                    .filter(life ->
                            life.nodeId() == newest.nodeId() && !life.process().dead())
                    .toList();
            if (left.equals(List.of(newest))) {
                newest.process().resume();
                continue;
            }
            left.forEach(node -> store.crash(node.process()));
            SimulatedNode unused = startNode(newest.nodeId());
        }
    }

    /** Ends every life and begins new ones: nothing is left but the store. */
    public void restartAll() {
        for (SimulatedNode node : nodes()) {
            crashAll(node.nodeId());
            SimulatedNode unused = startNode(node.nodeId());
        }
    }

    /** Waits until every node serves, and every partition is served by whom clients ask; begins lives that have ended by themselves anew. */
    public void awaitReady() {
        await(
                () -> {
                    for (SimulatedNode node : nodes()) {
                        if (node.process().dead()) {
                            SimulatedNode unused = startNode(node.nodeId());
                        }
                    }
                    return nodes().stream().allMatch(SimulatedNode::isReady)
                            && topics.keySet().stream().allMatch(this::isServed);
                },
                "a start");
    }

    private boolean isServed(String name) {
        TopicImage topic = newestImage().topic(name);
        if (topic == null) {
            return false;
        }
        for (int i = 0; i < topic.partitions().size(); i++) {
            int index = i;
            Optional<Partition> served = leader(topic.id(), index).map(node -> node.partition(topic.id(), index));
            if (served.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the node may lead the cluster. */
    public boolean isController(SimulatedNode node) {
        return config.roles(node.nodeId()).contains(Role.CONTROLLER);
    }

    /** Who owns which shard, as the newest image says. */
    public Map<ShardId, ShardImage> owners() {
        Map<ShardId, ShardImage> owners = new TreeMap<>();
        newestImage().shards().forEach(shard -> owners.put(shard.id(), shard));
        return owners;
    }

    // ------------------------------------------------------------------ topics

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
        SimulatedNode node = anyNode(simulation.random("topic " + name));
        var created = node.sessions().submit(new CreateTopics(List.of(topic), false));
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

    // ------------------------------------------------------------------ clients

    /** What a client that asks around would know. */
    private MetadataImage newestImage() {
        return nodes().stream()
                .filter(node -> node.process().running())
                .map(node -> node.sessions().image())
                .max(Comparator.comparingLong(MetadataImage::version))
                .orElse(MetadataImage.EMPTY);
    }

    /** The node that leads a partition, as far as running nodes know; empty if none is known. */
    public Optional<SimulatedNode> leader(UUID topicId, int index) {
        MetadataImage image = newestImage();
        TopicImage topic = image.topic(topicId);
        ShardImage shard =
                topic == null ? null : image.shard(topic.partitions().get(index).shard());
        return shard == null ? Optional.empty() : Optional.ofNullable(nodes.get(shard.ownerNode()));
    }

    /** A life that a client may take for a partition's leader: mostly the one that is, sometimes one that should be over. */
    public SimulatedNode believed(UUID topicId, int index, RandomGenerator random) {
        if (random.nextInt(8) == 0) {
            return lives.get(random.nextInt(lives.size()));
        }
        return leader(topicId, index).orElseGet(() -> anyNode(random));
    }

    /** Connects a client to a life that it takes for a partition's leader. */
    public Connection connect(UUID topicId, int index, RandomGenerator random) {
        return connect(believed(topicId, index, random), random);
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
}
