package io.forebay.sim.groups;

import io.forebay.broker.groups.CoordinatorHost;
import io.forebay.broker.groups.GroupLoader;
import io.forebay.broker.groups.GroupLog;
import io.forebay.broker.groups.GroupSettings;
import io.forebay.broker.groups.OffsetsTopic;
import io.forebay.broker.partition.Partition;
import io.forebay.broker.session.PartitionObserver;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.testkit.SimulatedProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.CoordinatorResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime;
import org.apache.kafka.coordinator.common.runtime.KRaftCoordinatorMetadataDelta;
import org.apache.kafka.coordinator.common.runtime.KRaftCoordinatorMetadataImage;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorShard;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorRuntimeMetrics;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/**
 * The group coordinators of one life of a node: the product's log, loader and topic under Kafka's state machines. Owned by the simulation's thread.
 *
 * <p>A failed request completes with the exception that Kafka's service would turn into an error code.
 */
public final class SimulatedGroups implements PartitionObserver {

    private static final int COMMIT_VERSION = 9;
    private static final int HEARTBEAT_VERSION = 1;

    private final LoopEvents events;
    private final CoordinatorRuntime<GroupCoordinatorShard, CoordinatorRecord> runtime;
    private final OffsetsTopic topic;
    private final BooleanSupplier mayServe;
    private final Map<Integer, Integer> epochs = new HashMap<>();

    /**
     * An answer.
     *
     * @param epoch of the coordinator's partition when it was given
     */
    public record Answer<T>(T response, int epoch) {}

    /**
     * Makes the coordinators of one life.
     *
     * @param mayServe whether it is proven that the node's session is not over
     */
    public SimulatedGroups(int nodeId, SimulatedProcess process, BooleanSupplier mayServe) {
        this.mayServe = mayServe;
        Time time = new SimulatedTime(process.clock());
        GroupSettings settings = GroupSettings.of(Map.of());
        Metrics metrics = new Metrics(time);
        GroupLog log = new GroupLog();
        GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();
        events = new LoopEvents(process.loop("groups"));
        runtime = new CoordinatorRuntime.Builder<GroupCoordinatorShard, CoordinatorRecord>()
                .withTime(time)
                .withTimer(new LoopTimer(process.loop("group-timers")))
                .withEventProcessor(events)
                .withPartitionWriter(log)
                .withLoader(new GroupLoader(log, serde, process.loop("group-replay"), process.clock()))
                .withCoordinatorShardBuilderSupplier(
                        () -> new GroupCoordinatorShard.Builder(settings.coordinator(), settings.groups())
                                .withAuthorizerPlugin(Optional.empty()))
                .withWriteTimeout(Duration.ofMillis(settings.coordinator().offsetCommitTimeoutMs()))
                .withCoordinatorRuntimeMetrics(new GroupCoordinatorRuntimeMetrics(metrics))
                .withCoordinatorMetrics(
                        new GroupCoordinatorMetrics(new com.yammer.metrics.core.MetricsRegistry(), metrics))
                .withSerializer(serde)
                .withAppendLingerMs(settings.coordinator().appendLingerMs())
                .withExecutorService(new LoopExecutor(process.loop("group-background")))
                .withCachedBufferMaxBytesSupplier(settings.coordinator()::cachedBufferMaxBytes)
                .build();
        topic = new OffsetsTopic(nodeId, 1, log, new Host());
    }

    /** Follows a newer image. On the control loop. */
    public void follow(ClusterImage image) {
        topic.follow(image);
    }

    @Override
    public void opened(Partition partition, int leaderEpoch) {
        events.home(new TopicPartition(partition.topic(), partition.index()), partition.loop());
        if (partition.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
            epochs.put(partition.index(), leaderEpoch);
        }
        topic.opened(partition, leaderEpoch);
    }

    @Override
    public void closed(Partition partition) {
        topic.closed(partition);
    }

    // ------------------------------------------------------------------ requests

    public CompletableFuture<Answer<OffsetCommitResponseData>> commit(OffsetCommitRequestData request) {
        GroupClient client = new GroupClient(ApiKeys.OFFSET_COMMIT, COMMIT_VERSION);
        return write("commit", request.groupId(), shard -> shard.commitOffset(client, request));
    }

    /** The committed offsets: as of the last durable record, or of the last record, answered when that is durable. */
    public CompletableFuture<Answer<OffsetFetchResponseGroup>> fetch(
            OffsetFetchRequestGroup request, boolean requireStable) {
        String group = request.groupId();
        if (!mayServe.getAsBoolean()) {
            return CompletableFuture.failedFuture(Errors.NOT_COORDINATOR.exception());
        }
        if (requireStable) {
            return write(
                    "fetch",
                    group,
                    shard -> new CoordinatorResult<>(List.of(), shard.fetchOffsets(request, Long.MAX_VALUE)));
        }
        return answered(
                group,
                runtime.scheduleReadOperation(
                        "fetch", key(group), (shard, offset) -> shard.fetchOffsets(request, offset)));
    }

    public CompletableFuture<Answer<ConsumerGroupHeartbeatResponseData>> heartbeat(
            ConsumerGroupHeartbeatRequestData request) {
        GroupClient client = new GroupClient(ApiKeys.CONSUMER_GROUP_HEARTBEAT, HEARTBEAT_VERSION);
        return write("heartbeat", request.groupId(), shard -> shard.consumerGroupHeartbeat(client, request));
    }

    private <T> CompletableFuture<Answer<T>> write(
            String name,
            String group,
            CoordinatorRuntime.CoordinatorWriteOperation<GroupCoordinatorShard, T, CoordinatorRecord> operation) {
        return answered(group, runtime.scheduleWriteOperation(name, key(group), operation));
    }

    /** An event that succeeds does so before its partition opens again, so the epoch is its own. */
    private <T> CompletableFuture<Answer<T>> answered(String group, CompletableFuture<T> response) {
        int partition = key(group).partition();
        return response.thenApply(given -> new Answer<>(given, epochs.getOrDefault(partition, -1)));
    }

    private TopicPartition key(String groupId) {
        return new TopicPartition(
                Topic.GROUP_METADATA_TOPIC_NAME, Utils.abs(groupId.hashCode()) % topic.partitionCount());
    }

    /** Kafka's runtime as the host of coordinators. */
    private final class Host implements CoordinatorHost {
        @Override
        public void elected(int partition, int leaderEpoch) {
            runtime.scheduleLoadOperation(new TopicPartition(Topic.GROUP_METADATA_TOPIC_NAME, partition), leaderEpoch);
        }

        @Override
        public void resigned(int partition) {
            runtime.scheduleUnloadOperation(
                    new TopicPartition(Topic.GROUP_METADATA_TOPIC_NAME, partition), OptionalInt.empty());
        }

        @Override
        public void metadata(MetadataDelta delta, MetadataImage image) {
            runtime.onMetadataUpdate(
                    new KRaftCoordinatorMetadataDelta(delta), new KRaftCoordinatorMetadataImage(image));
        }
    }
}
