package io.forebay.kafka.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.streams.StreamsGroupHeartbeatResult;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/** A coordinator that agrees to everything at once and remembers nothing. */
final class FakeGroups implements GroupCoordinator {

    private static <T> CompletableFuture<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    private static LeaveGroupResponseData left(LeaveGroupRequestData request) {
        LeaveGroupResponseData left = new LeaveGroupResponseData();
        request.members()
                .forEach(member ->
                        left.members().add(new LeaveGroupResponseData.MemberResponse().setMemberId(member.memberId())));
        return left;
    }

    private static DeleteGroupsResponseData.DeletableGroupResultCollection deleted(List<String> groups) {
        DeleteGroupsResponseData.DeletableGroupResultCollection deleted =
                new DeleteGroupsResponseData.DeletableGroupResultCollection();
        groups.forEach(id -> deleted.add(new DeleteGroupsResponseData.DeletableGroupResult().setGroupId(id)));
        return deleted;
    }

    private static OffsetFetchResponseData.OffsetFetchResponseGroup fetched(
            OffsetFetchRequestData.OffsetFetchRequestGroup request) {
        OffsetFetchResponseData.OffsetFetchResponseGroup fetched =
                new OffsetFetchResponseData.OffsetFetchResponseGroup().setGroupId(request.groupId());
        if (request.topics() != null) {
            request.topics().forEach(topic -> {
                OffsetFetchResponseData.OffsetFetchResponseTopics answered =
                        new OffsetFetchResponseData.OffsetFetchResponseTopics()
                                .setName(topic.name())
                                .setTopicId(topic.topicId());
                topic.partitionIndexes()
                        .forEach(index -> answered.partitions()
                                .add(new OffsetFetchResponseData.OffsetFetchResponsePartitions()
                                        .setPartitionIndex(index)
                                        .setCommittedOffset(5)));
                fetched.topics().add(answered);
            });
        }
        return fetched;
    }

    private static OffsetCommitResponseData committed(OffsetCommitRequestData request) {
        OffsetCommitResponseData committed = new OffsetCommitResponseData();
        request.topics().forEach(topic -> {
            OffsetCommitResponseData.OffsetCommitResponseTopic answered =
                    new OffsetCommitResponseData.OffsetCommitResponseTopic()
                            .setName(topic.name())
                            .setTopicId(topic.topicId());
            topic.partitions()
                    .forEach(partition -> answered.partitions()
                            .add(new OffsetCommitResponseData.OffsetCommitResponsePartition()
                                    .setPartitionIndex(partition.partitionIndex())));
            committed.topics().add(answered);
        });
        return committed;
    }

    private static OffsetDeleteResponseData deletedOffsets(OffsetDeleteRequestData request) {
        OffsetDeleteResponseData deleted = new OffsetDeleteResponseData();
        request.topics().forEach(topic -> {
            OffsetDeleteResponseData.OffsetDeleteResponseTopic answered =
                    new OffsetDeleteResponseData.OffsetDeleteResponseTopic().setName(topic.name());
            topic.partitions()
                    .forEach(partition -> answered.partitions()
                            .add(new OffsetDeleteResponseData.OffsetDeleteResponsePartition()
                                    .setPartitionIndex(partition.partitionIndex())));
            deleted.topics().add(answered);
        });
        return deleted;
    }

    @Override
    public CompletableFuture<ConsumerGroupHeartbeatResponseData> consumerGroupHeartbeat(
            AuthorizableRequestContext caller, ConsumerGroupHeartbeatRequestData request) {
        return done(new ConsumerGroupHeartbeatResponseData()
                .setMemberId(request.memberId())
                .setMemberEpoch(1));
    }

    @Override
    public CompletableFuture<StreamsGroupHeartbeatResult> streamsGroupHeartbeat(
            AuthorizableRequestContext caller, StreamsGroupHeartbeatRequestData request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<StreamsGroupTopologyDescriptionUpdateResponseData> streamsGroupTopologyDescriptionUpdate(
            AuthorizableRequestContext caller, StreamsGroupTopologyDescriptionUpdateRequestData request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<ShareGroupHeartbeatResponseData> shareGroupHeartbeat(
            AuthorizableRequestContext caller, ShareGroupHeartbeatRequestData request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<JoinGroupResponseData> joinGroup(
            AuthorizableRequestContext caller, JoinGroupRequestData request, BufferSupplier buffers) {
        return done(new JoinGroupResponseData()
                .setMemberId("m")
                .setGenerationId(1)
                .setProtocolName(null)
                .setLeader("m"));
    }

    @Override
    public CompletableFuture<SyncGroupResponseData> syncGroup(
            AuthorizableRequestContext caller, SyncGroupRequestData request, BufferSupplier buffers) {
        return done(new SyncGroupResponseData());
    }

    @Override
    public CompletableFuture<HeartbeatResponseData> heartbeat(
            AuthorizableRequestContext caller, HeartbeatRequestData request) {
        return done(new HeartbeatResponseData());
    }

    @Override
    public CompletableFuture<LeaveGroupResponseData> leaveGroup(
            AuthorizableRequestContext caller, LeaveGroupRequestData request) {
        return done(left(request));
    }

    @Override
    public CompletableFuture<ListGroupsResponseData> listGroups(
            AuthorizableRequestContext caller, ListGroupsRequestData request) {
        return done(new ListGroupsResponseData());
    }

    @Override
    public CompletableFuture<List<DescribeGroupsResponseData.DescribedGroup>> describeGroups(
            AuthorizableRequestContext caller, List<String> groups) {
        return done(new ArrayList<>(groups.stream()
                .map(id -> new DescribeGroupsResponseData.DescribedGroup()
                        .setGroupId(id)
                        .setGroupState("Empty"))
                .toList()));
    }

    @Override
    public CompletableFuture<List<ConsumerGroupDescribeResponseData.DescribedGroup>> consumerGroupDescribe(
            AuthorizableRequestContext caller, List<String> groups) {
        return done(new ArrayList<>(groups.stream()
                .map(id -> new ConsumerGroupDescribeResponseData.DescribedGroup()
                        .setGroupId(id)
                        .setGroupState("Empty"))
                .toList()));
    }

    @Override
    public CompletableFuture<List<StreamsGroupDescribeResponseData.DescribedGroup>> streamsGroupDescribe(
            AuthorizableRequestContext caller, List<String> groups, boolean a2) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<ShareGroupDescribeResponseData.DescribedGroup>> shareGroupDescribe(
            AuthorizableRequestContext caller, List<String> groups) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<AlterShareGroupOffsetsResponseData> alterShareGroupOffsets(
            AuthorizableRequestContext caller, String a1, AlterShareGroupOffsetsRequestData request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<DeleteGroupsResponseData.DeletableGroupResultCollection> deleteGroups(
            AuthorizableRequestContext caller, List<String> groups, BufferSupplier buffers) {
        return done(deleted(groups));
    }

    @Override
    public CompletableFuture<OffsetFetchResponseData.OffsetFetchResponseGroup> fetchOffsets(
            AuthorizableRequestContext caller, OffsetFetchRequestData.OffsetFetchRequestGroup request, boolean a2) {
        return done(fetched(request));
    }

    @Override
    public CompletableFuture<DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseGroup>
            describeShareGroupOffsets(
                    AuthorizableRequestContext caller,
                    DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseGroup>
            describeShareGroupAllOffsets(
                    AuthorizableRequestContext caller,
                    DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<DeleteShareGroupOffsetsResponseData> deleteShareGroupOffsets(
            AuthorizableRequestContext caller, DeleteShareGroupOffsetsRequestData request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<OffsetCommitResponseData> commitOffsets(
            AuthorizableRequestContext caller, OffsetCommitRequestData request, BufferSupplier buffers) {
        return done(committed(request));
    }

    @Override
    public CompletableFuture<TxnOffsetCommitResponseData> commitTransactionalOffsets(
            AuthorizableRequestContext caller, TxnOffsetCommitRequestData request, BufferSupplier buffers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<OffsetDeleteResponseData> deleteOffsets(
            AuthorizableRequestContext caller, OffsetDeleteRequestData request, BufferSupplier buffers) {
        return done(deletedOffsets(request));
    }

    @Override
    public CompletableFuture<Void> completeTransaction(
            TopicPartition a0, long a1, short a2, int a3, TransactionResult a4, short a5) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int partitionFor(String a0) {
        return 0;
    }

    @Override
    public void onElection(int a0, int a1) {}

    @Override
    public void onResignation(int a0, OptionalInt a1) {}

    @Override
    public void onMetadataUpdate(MetadataDelta a0, MetadataImage a1) {}

    @Override
    public Map<String, String> groupMetadataTopicConfigs() {
        return Map.of();
    }

    @Override
    public Optional<GroupConfig> groupConfig(String a0) {
        return Optional.empty();
    }

    @Override
    public void updateGroupConfig(String a0, Properties a1) {}

    @Override
    public void startup(IntSupplier a0) {}

    @Override
    public void shutdown() {}
}
