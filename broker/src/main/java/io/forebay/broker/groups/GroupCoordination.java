package io.forebay.broker.groups;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.session.PartitionObserver;
import io.forebay.cluster.image.ClusterImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorRuntimeMetrics;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.apache.kafka.server.util.PartitionMetadataClient;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.SystemTimerReaper;

/**
 * Kafka's group coordinator service over the partitions of {@code __consumer_offsets} that are served here. The service has threads of
 * its own; nothing in here blocks a loop.
 */
public final class GroupCoordination implements PartitionObserver {

    /** Set by whoever stops the node, read by the partitions' loops: a service that was shut down has resigned everywhere. */
    private volatile boolean stopped;

    private volatile boolean started;

    private final GroupCoordinatorService service;
    private final GroupLog log;
    private final OffsetsTopic topic;
    private final int offsetsPartitions;

    public GroupCoordination(GroupPorts ports, Time time) {
        this.offsetsPartitions = ports.offsetsPartitions();
        this.log = new GroupLog();
        GroupSettings settings = GroupSettings.of(ports.kafkaProperties());
        Metrics metrics = new Metrics(time);
        this.service = new GroupCoordinatorService.Builder(ports.nodeId(), settings.coordinator())
                .withWriter(log)
                .withLoader(
                        new GroupLoader(log, new GroupCoordinatorRecordSerde(), ports.loadExecutor(), ports.clock()))
                .withTime(time)
                .withTimer(new SystemTimerReaper("group-coordinator-reaper", new SystemTimer("group-coordinator")))
                .withCoordinatorRuntimeMetrics(new GroupCoordinatorRuntimeMetrics(metrics))
                .withGroupCoordinatorMetrics(
                        new GroupCoordinatorMetrics(new com.yammer.metrics.core.MetricsRegistry(), metrics))
                .withGroupConfigManager(settings.groups())
                .withPersister(new NoOpStatePersister())
                .withAuthorizerPlugin(Optional.empty())
                .withPartitionMetadataClient(new NoOffsets())
                .build();
        this.topic = new OffsetsTopic(ports.nodeId(), offsetsPartitions, log, new Service());
    }

    /** Loads what every coordination needs of Kafka's; nothing else changes. */
    public static void load() {
        GroupSettings unused = GroupSettings.of(Map.of());
    }

    /** Kafka's service; give it requests once {@link #start} was called. */
    public GroupCoordinator coordinator() {
        return service;
    }

    public void start() {
        started = true;
        service.startup(topic::partitionCount);
    }

    /** Ends the service and its threads, also if it never started: Kafka's shuts down only what has started. */
    public void close() {
        stopped = true;
        if (!started) {
            start();
        }
        service.shutdown();
    }

    /** Who is asked whether a group's partition belongs to a transaction; before the first partition opens. */
    public void verifyWith(GroupLog.Verifiers verifiers) {
        log.verifyWith(verifiers);
    }

    /** Number of partitions that the offsets topic gets when it is created. */
    public int offsetsPartitions() {
        return offsetsPartitions;
    }

    /** Follows a newer image. On the control loop. */
    public void follow(ClusterImage image) {
        topic.follow(image);
    }

    @Override
    public void opened(Partition partition, int leaderEpoch) {
        topic.opened(partition, leaderEpoch);
    }

    @Override
    public void closed(Partition partition) {
        topic.closed(partition);
    }

    /** Kafka's service as the host of coordinators. */
    private final class Service implements CoordinatorHost {
        @Override
        public void elected(int partition, int leaderEpoch) {
            service.onElection(partition, leaderEpoch);
        }

        @Override
        public void resigned(int partition) {
            if (!stopped) {
                service.onResignation(partition, OptionalInt.empty());
            }
        }

        @Override
        public void metadata(MetadataDelta delta, MetadataImage image) {
            service.onMetadataUpdate(delta, image);
        }
    }

    /** Only share and streams groups ask for offsets; they come later. */
    private static final class NoOffsets implements PartitionMetadataClient {
        @Override
        public Map<TopicPartition, CompletableFuture<OffsetResponse>> listLatestOffsets(Set<TopicPartition> wanted) {
            Map<TopicPartition, CompletableFuture<OffsetResponse>> none = new HashMap<>();
            List<TopicPartition> all = new ArrayList<>(wanted);
            Function<TopicPartition, CompletableFuture<OffsetResponse>> refuse =
                    key -> CompletableFuture.completedFuture(new OffsetResponse(-1, Errors.UNKNOWN_TOPIC_OR_PARTITION));
            all.forEach(key -> none.put(key, refuse.apply(key)));
            return none;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
