package io.forebay.server.node;

import io.forebay.broker.NodeBroker;
import io.forebay.broker.StoreVolume;
import io.forebay.broker.admin.ConfigDefaults;
import io.forebay.broker.admin.NodeAdmin;
import io.forebay.broker.admin.TopicSettings;
import io.forebay.broker.groups.GroupCoordination;
import io.forebay.broker.groups.GroupPorts;
import io.forebay.broker.session.NodePorts;
import io.forebay.broker.session.NodeSessions;
import io.forebay.broker.session.TendConfig;
import io.forebay.broker.transactions.TransactionConfig;
import io.forebay.broker.transactions.Transactions;
import io.forebay.cluster.control.ControlConfig;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.member.MemberIdentity;
import io.forebay.cluster.root.RootContext;
import io.forebay.kafka.KafkaServer;
import io.forebay.log.LogConfig;
import io.forebay.log.LogPorts;
import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.Maker;
import io.forebay.model.Clock;
import io.forebay.model.Retry;
import io.forebay.model.When;
import io.forebay.server.cli.NodeStartException;
import io.forebay.server.cli.RunningNode;
import io.forebay.server.config.ForebayConfig;
import io.forebay.server.config.HostPort;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreProbe;
import io.forebay.store.StoreProvider;
import io.forebay.store.StoreSpace;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node of one process: opens the store, begins its sessions, listens. */
public final class Node implements RunningNode {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final long CLOSE_TIMEOUT_MS = 10_000;
    private static final long DRAIN_TIMEOUT_MS = 5_000;
    /** The root's journal is small. */
    private static final int ROOT_FILE_BYTES = 16 << 20;

    private final NodeThreads threads;
    private final Store store;
    private final ControlPort control;
    private final NodeSessions sessions;
    private final GroupCoordination groups;
    private final Optional<KafkaServer> kafka;
    private final HostPort listening;
    private final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
    private final AtomicBoolean stopping = new AtomicBoolean();

    private Node(
            NodeThreads threads,
            Store store,
            ControlPort control,
            NodeSessions sessions,
            GroupCoordination groups,
            Optional<KafkaServer> kafka,
            HostPort listening) {
        this.threads = threads;
        this.store = store;
        this.control = control;
        this.sessions = sessions;
        this.groups = groups;
        this.kafka = kafka;
        this.listening = listening;
    }

    /** Starts a node; returns when it serves. See {@link io.forebay.server.cli.NodeStarter}. */
    public static Node start(ForebayConfig config, Clock clock) throws NodeStartException, InterruptedException {
        // First of all: a node that has no store or cannot listen leaves no trace.
        Map<String, String> storeSettings = NodeConfigs.store(config);
        StoreProvider provider = StoreChoice.of(config.store().location(), storeSettings);
        int port = ListenAddress.freePort(config.network().listen());
        NodeThreads threads = new NodeThreads(
                config.threads().net(),
                config.journal().lanes(),
                config.threads().io());
        Optional<Store> store = Optional.empty();
        Optional<ControlPort> control = Optional.empty();
        // Coordinators need no store, and a store no coordinators: they are made beside each other.
        CompletableFuture<GroupCoordination> groups =
                CompletableFuture.supplyAsync(() -> coordination(config, clock, threads), threads.replay());
        try {
            store = Optional.of(openStore(provider, config, storeSettings, threads, clock));
            probe(store.get(), clock);
            control = Optional.of(ControlPort.open(config.cluster()));
            return start(config, port, clock, threads, store.get(), control.get(), groups.join());
        } catch (NodeStartException | RuntimeException | InterruptedException e) {
            var unused = groups.thenAccept(GroupCoordination::close);
            control.ifPresent(ControlPort::close);
            store.ifPresent(Store::close);
            threads.close();
            throw e;
        }
    }

    private static Store openStore(
            StoreProvider provider,
            ForebayConfig config,
            Map<String, String> settings,
            NodeThreads threads,
            Clock clock)
            throws NodeStartException {
        StorePorts ports = new StorePorts(threads.store(), threads.control(), clock, new SecureRandom());
        try {
            return provider.open(config.store().location(), settings, ports);
        } catch (StoreException e) {
            throw new NodeStartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static GroupCoordination coordination(ForebayConfig config, Clock clock, NodeThreads threads) {
        return new GroupCoordination(
                new GroupPorts(
                        config.node().id(),
                        clock,
                        threads.replay(),
                        config.groups().offsetsTopicPartitions(),
                        config.groups().kafkaProperties()),
                Time.SYSTEM);
    }

    private static Node start(
            ForebayConfig config,
            int port,
            Clock clock,
            NodeThreads threads,
            Store store,
            ControlPort control,
            GroupCoordination groups)
            throws NodeStartException, InterruptedException {
        HostPort advertised = config.network().advertised().port() == 0
                ? new HostPort(config.network().advertised().host(), port)
                : config.network().advertised();
        SecureRandom random = new SecureRandom();
        Maker maker = Maker.random(random);
        PageCache cache = new PageCache(store, NodeConfigs.cache(config));
        MemberIdentity identity = new MemberIdentity(
                config.node().id(),
                config.node().roles(),
                advertised.host(),
                advertised.port(),
                config.node().rack(),
                config.journal().lanes(),
                control.address());
        ConfigDefaults defaults = NodeConfigs.defaults(config);
        TopicSettings settings = new TopicSettings(identity.nodeId(), defaults);
        // Markers and questions do not go from node to node yet.
        Transactions transactions = new Transactions(
                control.address().isEmpty(), TransactionConfig.DEFAULT, clock, threads.replay(), groups.coordinator());
        groups.verifyWith(transactions::verifier);
        NodeSessions sessions = new NodeSessions(
                identity,
                ports(config, clock, threads, store, control, random, maker, cache),
                settings,
                new Coordinators(groups, transactions),
                new TendConfig(
                        config.shards().retentionCheckIntervalMs(),
                        config.topics().producerIdExpirationMs()));
        control.answerWith(new ControlAnswers(identity, sessions)::answer);
        sessions.onImage(groups::follow);
        groups.start();
        NodeAdmin admin = new NodeAdmin(identity.nodeId(), sessions, settings, defaults, threads.control());
        transactions.attach(new AroundTransactions(sessions, admin));
        NodeBroker broker = new NodeBroker(
                identity.nodeId(),
                sessions,
                admin,
                groups.coordinator(),
                transactions,
                threads.net().loops().get(0),
                () -> store.space().thenApply(Node::volume));
        try {
            CompletableFuture<Void> serving = sessions.start();
            KafkaServer.Prepared prepared =
                    KafkaServer.prepare(NodeConfigs.kafka(config, port), broker, threads.net(), clock, random);
            serving.get();
            StoredSettings.lines(
                            config.entries(),
                            sessions.image().brokerConfigs(""),
                            sessions.image().brokerConfigs(Integer.toString(identity.nodeId())))
                    .forEach(LOG::info);
            // A node that owns no partitions has nothing to say to clients.
            Optional<KafkaServer> kafka =
                    Role.ownsShards(config.node().roles()) ? Optional.of(prepared.listen()) : Optional.empty();
            sessions.serves();
            HostPort listening = kafka.isEmpty()
                    ? HostPort.parse(control.address()).orElseThrow()
                    : new HostPort(
                            config.network().listen().host(),
                            kafka.get().address().getPort());
            Node node = new Node(threads, store, control, sessions, groups, kafka, listening);
            When.done(sessions.whenTakenOver(), (why, none) -> node.ended.complete(Optional.of(why)));
            return node;
        } catch (ExecutionException e) {
            groups.close();
            throw new NodeStartException(reason(e.getCause() == null ? e : Retry.unwrap(e.getCause())), e);
        } catch (IOException e) {
            groups.close();
            closeQuietly(sessions);
            throw ListenAddress.refused(new HostPort(config.network().listen().host(), port), e);
        }
    }

    private static StoreVolume volume(Optional<StoreSpace> space) {
        return space.map(known -> new StoreVolume(known.totalBytes(), known.usableBytes()))
                .orElse(StoreVolume.UNKNOWN);
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.toString() : message;
    }

    /** A store that cannot do what everything rests on is refused before anything is written into it. */
    private static void probe(Store store, Clock clock) throws NodeStartException {
        try {
            LOG.info(StoreProbe.runUnlessNoted(store, new SecureRandom(), clock)
                    .map(timings -> "the store passed its probe: " + timings)
                    .orElse("the store passed a probe within the last day"));
        } catch (StoreException e) {
            throw new NodeStartException(reason(e), e);
        }
    }

    private static NodePorts ports(
            ForebayConfig config,
            Clock clock,
            NodeThreads threads,
            Store store,
            ControlPort control,
            SecureRandom random,
            Maker maker,
            PageCache cache) {
        LogConfig log = NodeConfigs.log(config);
        RootContext root = new RootContext(
                store,
                threads.control(),
                threads.rootJournal(),
                threads.merge(),
                clock,
                random,
                cache,
                NodeConfigs.journal(ROOT_FILE_BYTES, 0, 1),
                maker,
                config.node().id(),
                control.address(),
                config.shards().userCount(),
                config.shards().internalCount());
        LogPorts ports = new LogPorts(
                store,
                cache,
                threads.control(),
                threads.journals(),
                clock,
                random,
                threads.merge(),
                maker,
                damage -> LOG.error("stored records are damaged: {}", damage));
        return new NodePorts(
                root,
                control.peers(),
                new ControlConfig(config.cluster().sessionTimeoutMs(), ControlConfig.LOAD_FLOOR_BYTES),
                ports,
                log,
                threads.net().loops());
    }

    @Override
    public HostPort listening() {
        return listening;
    }

    @Override
    public void stop() {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        drain();
        kafka.ifPresent(KafkaServer::close);
        groups.close();
        closeQuietly(sessions);
        control.close();
        threads.close();
        store.close();
        ended.complete(Optional.empty());
    }

    /** Others take the shards while clients are still served. */
    private void drain() {
        try {
            sessions.drain().get(DRAIN_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("not all shards were given away before the end; others recover them: {}", e.toString());
        }
    }

    private static void closeQuietly(NodeSessions sessions) {
        try {
            sessions.close().get(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("the session did not end in good order; the next start recovers it: {}", e.toString());
        }
    }

    @Override
    public Optional<String> awaitEnd() throws InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            return Optional.of(String.valueOf(e.getCause()));
        }
    }
}
