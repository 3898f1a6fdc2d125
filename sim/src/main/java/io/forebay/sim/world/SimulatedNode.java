package io.forebay.sim.world;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.TopicConfig;
import io.forebay.broker.session.NodePorts;
import io.forebay.broker.session.NodeSessions;
import io.forebay.broker.session.TendConfig;
import io.forebay.cluster.member.MemberIdentity;
import io.forebay.cluster.root.RootContext;
import io.forebay.log.LogConfig;
import io.forebay.log.LogPorts;
import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.Maker;
import io.forebay.model.Loop;
import io.forebay.sim.groups.SimulatedGroups;
import io.forebay.store.Store;
import io.forebay.testkit.SimulatedProcess;
import io.forebay.testkit.Simulation;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One life of one node: the product's own membership, sessions, log and root on simulated loops. */
public final class SimulatedNode {

    /** Topics of the simulator neither expire nor limit anything. */
    private static final TopicConfig TOPIC = new TopicConfig(
            1 << 20,
            TopicConfig.StoredCompression.PRODUCER,
            false,
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            true,
            false,
            -1,
            -1);

    private final int nodeId;
    private final SimulatedProcess process;
    private final NodeSessions sessions;
    private final SimulatedGroups groups;
    private final CompletableFuture<Void> ready;

    SimulatedNode(World world, WorldConfig config, int nodeId, int life) {
        Simulation simulation = world.simulation();
        this.nodeId = nodeId;
        String name = "node-" + nodeId + "/" + life;
        process = simulation.process(name);
        Store store = world.store().handle(process);
        PageCache cache = new PageCache(store, config.cache());
        RandomGenerator random = simulation.random(name);
        Maker maker = Maker.random(random);
        Loop control = process.loop("control");
        LogConfig log = config.log();
        String address = SimulatedNetwork.address(nodeId);
        RootContext root = new RootContext(
                store,
                control,
                process.loop("journal-root"),
                process.loop("replay"),
                process.clock(),
                random,
                cache,
                config.rootJournal(),
                maker,
                nodeId,
                address,
                config.userShards(),
                config.internalShards());
        LogPorts ports = new LogPorts(
                store,
                cache,
                control,
                List.of(process.loop("journal-0"), process.loop("journal-1")),
                process.clock(),
                random,
                process.loop("merge"),
                maker,
                damage -> simulation.fail(new AssertionError("damage nobody made: " + damage)));
        groups = new SimulatedGroups(nodeId, process, this::mayServe);
        sessions = new NodeSessions(
                new MemberIdentity(nodeId, config.roles(nodeId), "127.0.0.1", 9092 + nodeId, "", log.lanes(), address),
                new NodePorts(
                        root,
                        world.network().peers(nodeId, process),
                        config.control(),
                        ports,
                        log,
                        List.of(process.loop("net-0"), process.loop("net-1"))),
                (topic, image) -> TOPIC,
                groups,
                new TendConfig(30_000, 60_000));
        sessions.onImage(image -> {
            world.witness().follows(this, image);
            groups.follow(image);
        });
        ready = sessions.start();
        var unused = ready.thenRun(sessions::serves);
    }

    private boolean mayServe() {
        return sessions.mayServe();
    }

    /** Whether it runs and leads the cluster, as far as it knows. */
    public boolean leads() {
        return process.running() && sessions.leadership().leads();
    }

    public int nodeId() {
        return nodeId;
    }

    public SimulatedProcess process() {
        return process;
    }

    public NodeSessions sessions() {
        return sessions;
    }

    /** Its group coordinators. */
    public SimulatedGroups groups() {
        return groups;
    }

    /** Completes when the node serves for the first time. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    /** Whether it runs and has served what it was given. */
    boolean isReady() {
        return process.running() && ready.isDone() && !ready.isCompletedExceptionally();
    }

    /** The partition, or null if it isn't served here at the moment. */
    public @Nullable Partition partition(UUID topicId, int index) {
        return sessions.served().find(topicId, index);
    }
}
