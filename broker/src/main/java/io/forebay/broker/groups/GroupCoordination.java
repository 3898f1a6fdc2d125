package io.forebay.broker.groups;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.session.PartitionObserver;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
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
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorRuntimeMetrics;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.apache.kafka.server.util.PartitionMetadataClient;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.SystemTimerReaper;

/**
 * Kafka's group coordinator over the partitions of {@code __consumer_offsets} that are served here.
 *
 * <p>Becomes the coordinator of a partition when it opens and resigns when it closes: a session that ends takes its coordinators with it, and the next
 * one replays them. The service has threads of its own; nothing in here blocks a loop.
 */
public final class GroupCoordination implements PartitionObserver {

    private final GroupLog log = new GroupLog();
    /** Set by whoever stops the node, read by the partitions' loops: a service that was shut down has resigned everywhere. */
    private volatile boolean stopped;

    private final KafkaImage kafkaImage;
    private final GroupCoordinatorService service;
    private final int offsetsPartitions;
    private volatile int partitionCount;

    public GroupCoordination(GroupPorts ports, Time time) {
        this.offsetsPartitions = ports.offsetsPartitions();
        this.partitionCount = offsetsPartitions;
        this.kafkaImage = new KafkaImage(ports.nodeId());
        AbstractConfig properties = new AbstractConfig(
                new ConfigDef(merged()), new HashMap<String, Object>(ports.kafkaProperties()), false);
        GroupCoordinatorConfig config = new GroupCoordinatorConfig(properties);
        Metrics metrics = new Metrics(time);
        this.service = new GroupCoordinatorService.Builder(ports.nodeId(), config)
                .withWriter(log)
                .withLoader(
                        new GroupLoader(log, new GroupCoordinatorRecordSerde(), ports.loadExecutor(), ports.clock()))
                .withTime(time)
                .withTimer(new SystemTimerReaper("group-coordinator-reaper", new SystemTimer("group-coordinator")))
                .withCoordinatorRuntimeMetrics(new GroupCoordinatorRuntimeMetrics(metrics))
                .withGroupCoordinatorMetrics(
                        new GroupCoordinatorMetrics(new com.yammer.metrics.core.MetricsRegistry(), metrics))
                .withGroupConfigManager(new GroupConfigManager(config, new ShareGroupConfig(properties)))
                .withPersister(new NoOpStatePersister())
                .withAuthorizerPlugin(Optional.empty())
                .withPartitionMetadataClient(new NoOffsets())
                .build();
    }

    private static ConfigDef merged() {
        ConfigDef all = new ConfigDef(GroupCoordinatorConfig.CONFIG_DEF);
        ShareGroupConfig.CONFIG_DEF.configKeys().forEach((name, key) -> {
            if (!all.configKeys().containsKey(name)) {
                all.define(key);
            }
        });
        return all;
    }

    /** Kafka's service; give it requests once {@link #start} was called. */
    public GroupCoordinator coordinator() {
        return service;
    }

    public void start() {
        service.startup(() -> partitionCount);
    }

    public void close() {
        stopped = true;
        service.shutdown();
    }

    /** Number of partitions that the offsets topic gets when it is created. */
    public int offsetsPartitions() {
        return offsetsPartitions;
    }

    /** Follows a newer image. On the control loop. */
    public void follow(ClusterImage image) {
        TopicImage offsets = image.topic(Topic.GROUP_METADATA_TOPIC_NAME);
        if (offsets != null) {
            partitionCount = offsets.partitions().size();
        }
        KafkaImage.Change change = kafkaImage.follow(image);
        service.onMetadataUpdate(change.delta(), change.image());
    }

    @Override
    public void opened(Partition partition, int leaderEpoch) {
        if (partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
            log.opened(key(partition), partition);
            service.onElection(partition.index(), leaderEpoch);
        }
    }

    @Override
    public void closed(Partition partition) {
        if (partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
            log.closed(key(partition), partition);
            if (!stopped) {
                service.onResignation(partition.index(), OptionalInt.empty());
            }
        }
    }

    private static TopicPartition key(Partition partition) {
        return new TopicPartition(partition.topic(), partition.index());
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
