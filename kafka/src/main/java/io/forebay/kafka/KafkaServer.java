package io.forebay.kafka;

import io.forebay.broker.Broker;
import io.forebay.kafka.admin.AlterConfigsHandler;
import io.forebay.kafka.admin.CreatePartitionsHandler;
import io.forebay.kafka.admin.CreateTopicsHandler;
import io.forebay.kafka.admin.DeleteTopicsHandler;
import io.forebay.kafka.admin.DescribeConfigsHandler;
import io.forebay.kafka.admin.DescribeLogDirsHandler;
import io.forebay.kafka.admin.IncrementalAlterConfigsHandler;
import io.forebay.kafka.admin.ListConfigResourcesHandler;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.fetch.AnswerMemory;
import io.forebay.kafka.fetch.FetchHandler;
import io.forebay.kafka.fetch.FetchSessions;
import io.forebay.kafka.groups.ConsumerGroupDescribeHandler;
import io.forebay.kafka.groups.ConsumerGroupHeartbeatHandler;
import io.forebay.kafka.groups.DeleteGroupsHandler;
import io.forebay.kafka.groups.DescribeGroupsHandler;
import io.forebay.kafka.groups.FindCoordinatorHandler;
import io.forebay.kafka.groups.HeartbeatHandler;
import io.forebay.kafka.groups.JoinGroupHandler;
import io.forebay.kafka.groups.LeaveGroupHandler;
import io.forebay.kafka.groups.ListGroupsHandler;
import io.forebay.kafka.groups.OffsetCommitHandler;
import io.forebay.kafka.groups.OffsetDeleteHandler;
import io.forebay.kafka.groups.OffsetFetchHandler;
import io.forebay.kafka.groups.SyncGroupHandler;
import io.forebay.kafka.metadata.ApiVersionsHandler;
import io.forebay.kafka.metadata.DescribeClusterHandler;
import io.forebay.kafka.metadata.DescribeTopicPartitionsHandler;
import io.forebay.kafka.metadata.MetadataHandler;
import io.forebay.kafka.net.Admission;
import io.forebay.kafka.net.Listener;
import io.forebay.kafka.net.NetLoops;
import io.forebay.kafka.offsets.DeleteRecordsHandler;
import io.forebay.kafka.offsets.ListOffsetsHandler;
import io.forebay.kafka.offsets.OffsetForLeaderEpochHandler;
import io.forebay.kafka.produce.InitProducerIdHandler;
import io.forebay.kafka.produce.ProduceHandler;
import io.forebay.kafka.transactions.AddOffsetsToTxnHandler;
import io.forebay.kafka.transactions.AddPartitionsToTxnHandler;
import io.forebay.kafka.transactions.DescribeProducersHandler;
import io.forebay.kafka.transactions.DescribeTransactionsHandler;
import io.forebay.kafka.transactions.EndTxnHandler;
import io.forebay.kafka.transactions.ListTransactionsHandler;
import io.forebay.kafka.transactions.TxnOffsetCommitHandler;
import io.forebay.kafka.transactions.WriteTxnMarkersHandler;
import io.forebay.model.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.ApiKeys;

/** The Kafka protocol on a socket. Thread-safe; what may wait says so. */
public final class KafkaServer implements AutoCloseable {

    private final Listener listener;
    private final ApiTable apis;

    private KafkaServer(Listener listener, ApiTable apis) {
        this.listener = listener;
        this.apis = apis;
    }

    /** All handlers of a server that does not listen yet. Making them takes a while when a process is young, and no broker that serves. */
    public static final class Prepared {
        private final KafkaConfig config;
        private final NetLoops loops;
        private final Clock clock;
        private final ApiTable apis;

        private Prepared(KafkaConfig config, NetLoops loops, Clock clock, ApiTable apis) {
            this.config = config;
            this.loops = loops;
            this.clock = clock;
            this.apis = apis;
        }

        /**
         * Listens and serves from now on. Waits for the socket to be bound: not to be called on a loop.
         *
         * @throws IOException if the address cannot be bound
         */
        public KafkaServer listen() throws IOException {
            Listener listener = Listener.open(
                    loops,
                    clock,
                    new InetSocketAddress(config.host(), config.port()),
                    config.connections(),
                    apis,
                    new Admission(config.produceInFlightMaxBytes()),
                    config.connectionsMax());
            return new KafkaServer(listener, apis);
        }
    }

    /** Loads what every server needs of Netty and of Kafka's protocol; nothing else changes. */
    public static void load() {
        NetLoops.load();
        for (ApiKeys api : ApiKeys.values()) {
            var unusedVersion = api.latestVersion();
        }
    }

    /**
     * Makes ready what will serve on the given loops.
     *
     * @param random names fetch sessions
     */
    public static Prepared prepare(
            KafkaConfig config, Broker broker, NetLoops loops, Clock clock, RandomGenerator random) {
        return new Prepared(config, loops, clock, apis(config, broker, clock, random));
    }

    /** All that is served. */
    static ApiTable apis(KafkaConfig config, Broker broker, Clock clock, RandomGenerator random) {
        AtomicReference<ApiTable> table = new AtomicReference<>(new ApiTable(List.of()));
        List<ApiHandler<?>> handlers = new ArrayList<>();
        handlers.add(new ApiVersionsHandler(broker, table::get));
        handlers.add(new MetadataHandler(broker, config.autoCreateTopics()));
        handlers.add(new DescribeTopicPartitionsHandler(broker));
        handlers.add(new DescribeClusterHandler(broker));
        handlers.add(new ProduceHandler(broker));
        handlers.add(new InitProducerIdHandler(broker));
        FetchSessions sessions = new FetchSessions(config.fetchSessionsMax(), clock, random);
        AnswerMemory memory = new AnswerMemory(config.fetchInFlightMaxBytes(), clock);
        handlers.add(new FetchHandler(broker, sessions, config.fetchMaxBytes(), memory));
        handlers.add(new ListOffsetsHandler(broker));
        handlers.add(new OffsetForLeaderEpochHandler(broker));
        handlers.add(new DeleteRecordsHandler(broker));
        handlers.addAll(admin(broker));
        handlers.addAll(groups(broker));
        if (broker.transactions().isOffered()) {
            handlers.addAll(transactions(broker, clock));
        }
        ApiTable apis = new ApiTable(handlers);
        table.set(apis);
        return apis;
    }

    private static List<ApiHandler<?>> admin(Broker broker) {
        return List.of(
                new CreateTopicsHandler(broker),
                new DeleteTopicsHandler(broker),
                new CreatePartitionsHandler(broker),
                new DescribeConfigsHandler(broker),
                new AlterConfigsHandler(broker),
                new IncrementalAlterConfigsHandler(broker),
                new ListConfigResourcesHandler(broker),
                new DescribeLogDirsHandler(broker));
    }

    private static List<ApiHandler<?>> groups(Broker broker) {
        return List.of(
                new FindCoordinatorHandler(broker),
                new JoinGroupHandler(broker),
                new SyncGroupHandler(broker),
                new HeartbeatHandler(broker),
                new LeaveGroupHandler(broker),
                new OffsetCommitHandler(broker),
                new OffsetFetchHandler(broker),
                new OffsetDeleteHandler(broker),
                new ListGroupsHandler(broker),
                new DescribeGroupsHandler(broker),
                new DeleteGroupsHandler(broker),
                new ConsumerGroupHeartbeatHandler(broker),
                new ConsumerGroupDescribeHandler(broker));
    }

    private static List<ApiHandler<?>> transactions(Broker broker, Clock clock) {
        return List.of(
                new AddPartitionsToTxnHandler(broker),
                new AddOffsetsToTxnHandler(broker),
                new EndTxnHandler(broker),
                new TxnOffsetCommitHandler(broker),
                new WriteTxnMarkersHandler(broker),
                new ListTransactionsHandler(broker, clock),
                new DescribeTransactionsHandler(broker),
                new DescribeProducersHandler(broker));
    }

    /** Where it listens, with the port that was given if any was asked for. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** What is served, with versions. */
    public ApiTable apis() {
        return apis;
    }

    /** Number of open connections. */
    public int connections() {
        return listener.connections();
    }

    /** Takes no further connections; those there are go on. Waits for the socket to be closed. */
    public void stopAccepting() {
        listener.stopAccepting();
    }

    /** Closes the socket and all connections; waits for it. The loops stay. */
    @Override
    public void close() {
        listener.close();
    }
}
