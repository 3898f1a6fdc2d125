package io.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.kafka.api.Ids;
import io.forebay.kafka.fake.Frames;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** For each API a request about a topic that exists, one that does not, and a partition too many; and what the answer must say. */
final class RequestSamples {

    private static final UUID NOBODYS = new UUID(99, 99);

    private final UUID knownId;
    private final String known;

    RequestSamples(UUID knownId, String known) {
        this.knownId = knownId;
        this.known = known;
    }

    ApiMessage of(ApiKeys api, short version) {
        return switch (api) {
            case API_VERSIONS ->
                new ApiVersionsRequestData().setClientSoftwareName("test").setClientSoftwareVersion("1.0");
            case METADATA -> metadata(version);
            case PRODUCE -> produce(version);
            case FETCH -> fetch(version);
            case LIST_OFFSETS -> listOffsets();
            case OFFSET_FOR_LEADER_EPOCH -> epochs();
            case DELETE_RECORDS -> deleteRecords();
            case CREATE_TOPICS -> createTopics();
            case DELETE_TOPICS -> deleteTopics(version);
            case CREATE_PARTITIONS -> createPartitions();
            case DESCRIBE_TOPIC_PARTITIONS -> describeTopics();
            case DESCRIBE_CONFIGS -> describeConfigs();
            case ALTER_CONFIGS -> alterConfigs();
            case INCREMENTAL_ALTER_CONFIGS -> incrementalAlterConfigs();
            case DESCRIBE_LOG_DIRS -> logDirs();
            case FIND_COORDINATOR ->
                version >= 4
                        ? new FindCoordinatorRequestData().setCoordinatorKeys(List.of("group"))
                        : new FindCoordinatorRequestData().setKey("group");
            case OFFSET_COMMIT -> commit(version);
            case OFFSET_FETCH -> offsetFetch(version);
            case OFFSET_DELETE -> offsetDelete();
            case LEAVE_GROUP ->
                version >= 3
                        ? new LeaveGroupRequestData()
                                .setGroupId("g")
                                .setMembers(List.of(new LeaveGroupRequestData.MemberIdentity().setMemberId("m")))
                        : new LeaveGroupRequestData().setGroupId("g").setMemberId("m");
            case SYNC_GROUP ->
                version >= 5
                        ? new SyncGroupRequestData().setProtocolType("consumer").setProtocolName("range")
                        : new SyncGroupRequestData();
            case DESCRIBE_GROUPS -> new DescribeGroupsRequestData().setGroups(List.of("a", "b"));
            case DELETE_GROUPS -> new DeleteGroupsRequestData().setGroupsNames(List.of("a", "a", "b"));
            case CONSUMER_GROUP_DESCRIBE -> new ConsumerGroupDescribeRequestData().setGroupIds(List.of("a"));
            default -> api.messageType.newRequest();
        };
    }

    private MetadataRequestData metadata(short version) {
        MetadataRequestData request = new MetadataRequestData().setAllowAutoTopicCreation(version < 4);
        request.topics().add(new MetadataRequestData.MetadataRequestTopic().setName(known));
        request.topics().add(new MetadataRequestData.MetadataRequestTopic().setName("un/known"));
        if (version >= 12) {
            request.topics()
                    .add(new MetadataRequestData.MetadataRequestTopic()
                            .setName(null)
                            .setTopicId(Ids.toKafka(NOBODYS)));
        }
        return request;
    }

    private ProduceRequestData produce(short version) {
        ProduceRequestData request = Frames.produce(known, 4, 100, (short) -1);
        ProduceRequestData.TopicProduceData other = new ProduceRequestData.TopicProduceData().setName("unknown");
        other.partitionData().add(new ProduceRequestData.PartitionProduceData().setRecords(Frames.records(10)));
        if (version >= 13) {
            ProduceRequestData.TopicProduceData first =
                    request.topicData().iterator().next();
            request.setTopicData(new ProduceRequestData.TopicProduceDataCollection());
            request.topicData().add(first.duplicate().setName("").setTopicId(Ids.toKafka(knownId)));
            other.setName("").setTopicId(Ids.toKafka(NOBODYS));
        }
        request.topicData().add(other);
        return request;
    }

    private FetchRequestData fetch(short version) {
        FetchRequestData request =
                new FetchRequestData().setMinBytes(0).setMaxBytes(1 << 20).setMaxWaitMs(0);
        if (version < 15) {
            request.setReplicaId(-1);
        }
        if (version >= 7) {
            request.setSessionEpoch(0);
        }
        boolean byId = version >= 13;
        request.topics().add(fetchTopic(byId, known, knownId));
        request.topics().add(fetchTopic(byId, "unknown", NOBODYS));
        return request;
    }

    private static FetchRequestData.FetchTopic fetchTopic(boolean byId, String name, UUID id) {
        FetchRequestData.FetchTopic topic = new FetchRequestData.FetchTopic()
                .setTopic(byId ? "" : name)
                .setTopicId(byId ? Ids.toKafka(id) : Uuid.ZERO_UUID);
        topic.partitions()
                .add(new FetchRequestData.FetchPartition().setPartition(0).setPartitionMaxBytes(1000));
        topic.partitions()
                .add(new FetchRequestData.FetchPartition().setPartition(9).setPartitionMaxBytes(1000));
        return topic;
    }

    private ListOffsetsRequestData listOffsets() {
        ListOffsetsRequestData request = new ListOffsetsRequestData();
        for (String name : List.of(known, "unknown")) {
            ListOffsetsRequestData.ListOffsetsTopic topic = new ListOffsetsRequestData.ListOffsetsTopic().setName(name);
            topic.partitions()
                    .add(new ListOffsetsRequestData.ListOffsetsPartition()
                            .setPartitionIndex(0)
                            .setTimestamp(-1));
            topic.partitions()
                    .add(new ListOffsetsRequestData.ListOffsetsPartition()
                            .setPartitionIndex(1)
                            .setTimestamp(-5));
            request.topics().add(topic);
        }
        return request;
    }

    private OffsetForLeaderEpochRequestData epochs() {
        OffsetForLeaderEpochRequestData request = new OffsetForLeaderEpochRequestData();
        for (String name : List.of(known, "unknown")) {
            OffsetForLeaderEpochRequestData.OffsetForLeaderTopic topic =
                    new OffsetForLeaderEpochRequestData.OffsetForLeaderTopic().setTopic(name);
            topic.partitions().add(new OffsetForLeaderEpochRequestData.OffsetForLeaderPartition());
            request.topics().add(topic);
        }
        return request;
    }

    private DeleteRecordsRequestData deleteRecords() {
        DeleteRecordsRequestData request = new DeleteRecordsRequestData();
        for (String name : List.of(known, "unknown", "__consumer_offsets")) {
            DeleteRecordsRequestData.DeleteRecordsTopic topic =
                    new DeleteRecordsRequestData.DeleteRecordsTopic().setName(name);
            topic.partitions().add(new DeleteRecordsRequestData.DeleteRecordsPartition());
            request.topics().add(topic);
        }
        return request;
    }

    private CreateTopicsRequestData createTopics() {
        CreateTopicsRequestData request = new CreateTopicsRequestData();
        for (String name : List.of("new", known)) {
            CreateTopicsRequestData.CreatableTopic topic = new CreateTopicsRequestData.CreatableTopic()
                    .setName(name)
                    .setNumPartitions(2)
                    .setReplicationFactor((short) 3);
            topic.configs()
                    .add(new CreateTopicsRequestData.CreatableTopicConfig()
                            .setName("retention.ms")
                            .setValue("7"));
            request.topics().add(topic);
        }
        return request;
    }

    private DeleteTopicsRequestData deleteTopics(short version) {
        DeleteTopicsRequestData request = new DeleteTopicsRequestData();
        if (version < 6) {
            return request.setTopicNames(List.of(known, "unknown"));
        }
        request.topics().add(new DeleteTopicsRequestData.DeleteTopicState().setName(known));
        request.topics()
                .add(new DeleteTopicsRequestData.DeleteTopicState()
                        .setName(null)
                        .setTopicId(Ids.toKafka(NOBODYS)));
        return request;
    }

    private CreatePartitionsRequestData createPartitions() {
        CreatePartitionsRequestData request = new CreatePartitionsRequestData();
        request.topics()
                .add(new CreatePartitionsRequestData.CreatePartitionsTopic()
                        .setName(known)
                        .setCount(5)
                        .setAssignments(null));
        return request;
    }

    private DescribeTopicPartitionsRequestData describeTopics() {
        DescribeTopicPartitionsRequestData request = new DescribeTopicPartitionsRequestData();
        for (String name : List.of(known, "unknown")) {
            request.topics().add(new DescribeTopicPartitionsRequestData.TopicRequest().setName(name));
        }
        return request;
    }

    private DescribeConfigsRequestData describeConfigs() {
        DescribeConfigsRequestData request = new DescribeConfigsRequestData().setIncludeSynonyms(true);
        request.resources()
                .add(new DescribeConfigsRequestData.DescribeConfigsResource()
                        .setResourceType((byte) 2)
                        .setResourceName(known)
                        .setConfigurationKeys(null));
        return request;
    }

    private AlterConfigsRequestData alterConfigs() {
        AlterConfigsRequestData request = new AlterConfigsRequestData();
        AlterConfigsRequestData.AlterConfigsResource resource = new AlterConfigsRequestData.AlterConfigsResource()
                .setResourceType((byte) 2)
                .setResourceName(known);
        resource.configs()
                .add(new AlterConfigsRequestData.AlterableConfig()
                        .setName("retention.ms")
                        .setValue("9"));
        request.resources().add(resource);
        return request;
    }

    private IncrementalAlterConfigsRequestData incrementalAlterConfigs() {
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        IncrementalAlterConfigsRequestData.AlterConfigsResource resource =
                new IncrementalAlterConfigsRequestData.AlterConfigsResource()
                        .setResourceType((byte) 2)
                        .setResourceName(known);
        resource.configs()
                .add(new IncrementalAlterConfigsRequestData.AlterableConfig()
                        .setName("retention.ms")
                        .setConfigOperation((byte) 1)
                        .setValue(null));
        request.resources().add(resource);
        return request;
    }

    private DescribeLogDirsRequestData logDirs() {
        DescribeLogDirsRequestData request = new DescribeLogDirsRequestData();
        request.topics()
                .add(new DescribeLogDirsRequestData.DescribableLogDirTopic()
                        .setTopic(known)
                        .setPartitions(List.of(0, 7)));
        return request;
    }

    private OffsetCommitRequestData commit(short version) {
        OffsetCommitRequestData request = new OffsetCommitRequestData().setGroupId("g");
        boolean byId = version >= 10;
        request.topics().add(commitTopic(byId, known, knownId));
        request.topics().add(commitTopic(byId, "unknown", NOBODYS));
        return request;
    }

    private static OffsetCommitRequestData.OffsetCommitRequestTopic commitTopic(boolean byId, String name, UUID id) {
        OffsetCommitRequestData.OffsetCommitRequestTopic topic = new OffsetCommitRequestData.OffsetCommitRequestTopic()
                .setName(byId ? "" : name)
                .setTopicId(byId ? Ids.toKafka(id) : Uuid.ZERO_UUID);
        topic.partitions().add(new OffsetCommitRequestData.OffsetCommitRequestPartition().setCommittedOffset(5));
        return topic;
    }

    private OffsetFetchRequestData offsetFetch(short version) {
        OffsetFetchRequestData request = new OffsetFetchRequestData();
        if (version < 8) {
            request.setGroupId("g");
            request.topics()
                    .add(new OffsetFetchRequestData.OffsetFetchRequestTopic()
                            .setName(known)
                            .setPartitionIndexes(List.of(0)));
            return request;
        }
        List<OffsetFetchRequestData.OffsetFetchRequestTopics> topics = new ArrayList<>();
        boolean byId = version >= 10;
        for (UUID id : byId ? List.of(knownId, NOBODYS) : List.of(knownId)) {
            topics.add(new OffsetFetchRequestData.OffsetFetchRequestTopics()
                    .setName(byId ? "" : known)
                    .setTopicId(byId ? Ids.toKafka(id) : Uuid.ZERO_UUID)
                    .setPartitionIndexes(List.of(0)));
        }
        request.groups()
                .add(new OffsetFetchRequestData.OffsetFetchRequestGroup()
                        .setGroupId("g")
                        .setTopics(topics));
        request.groups()
                .add(new OffsetFetchRequestData.OffsetFetchRequestGroup()
                        .setGroupId("h")
                        .setTopics(null));
        return request;
    }

    private OffsetDeleteRequestData offsetDelete() {
        OffsetDeleteRequestData request = new OffsetDeleteRequestData().setGroupId("g");
        for (String name : List.of(known, "unknown")) {
            OffsetDeleteRequestData.OffsetDeleteRequestTopic topic =
                    new OffsetDeleteRequestData.OffsetDeleteRequestTopic().setName(name);
            topic.partitions().add(new OffsetDeleteRequestData.OffsetDeleteRequestPartition());
            request.topics().add(topic);
        }
        return request;
    }

    /** Checks what matters most of an answer to {@link #of}. */
    void check(ApiKeys api, short version, ApiMessage answer) {
        switch (api) {
            case METADATA -> checkMetadata(version, (MetadataResponseData) answer);
            case PRODUCE -> checkProduce(version, (ProduceResponseData) answer);
            case FETCH -> checkFetch(version, (FetchResponseData) answer);
            case LIST_OFFSETS -> checkListOffsets(version, (ListOffsetsResponseData) answer);
            case OFFSET_COMMIT -> checkCommit(version, (OffsetCommitResponseData) answer);
            case OFFSET_FETCH -> checkOffsetFetch(version, (OffsetFetchResponseData) answer);
            case CREATE_TOPICS ->
                assertThat(((CreateTopicsResponseData) answer)
                                .topics()
                                .find(known)
                                .errorCode())
                        .isEqualTo(Errors.TOPIC_ALREADY_EXISTS.code());
            case DELETE_TOPICS ->
                assertThat(((DeleteTopicsResponseData) answer).responses())
                        .extracting(topic -> Errors.forCode(topic.errorCode()))
                        .containsExactly(
                                Errors.NONE, version < 6 ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.UNKNOWN_TOPIC_ID);
            case FIND_COORDINATOR -> checkCoordinator(version, (FindCoordinatorResponseData) answer);
            case DESCRIBE_LOG_DIRS -> checkLogDirs(version, (DescribeLogDirsResponseData) answer);
            case LIST_CONFIG_RESOURCES -> checkResources(version, (ListConfigResourcesResponseData) answer);
            default -> assertThat(answer).isNotNull();
        }
    }

    private void checkMetadata(short version, MetadataResponseData answer) {
        assertThat(answer.brokers()).hasSize(1);
        List<MetadataResponseData.MetadataResponseTopic> topics = List.copyOf(answer.topics());
        assertThat(topics).hasSize(version >= 12 ? 3 : 2);
        assertThat(topics.get(0).partitions()).hasSize(3);
        assertThat(topics.get(0).partitions().get(2).leaderId()).isEqualTo(7);
        assertThat(topics.get(1).errorCode()).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
        if (version >= 12) {
            assertThat(topics.get(2).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
            assertThat(topics.get(2).name()).isNull();
        }
    }

    private void checkProduce(short version, ProduceResponseData answer) {
        List<ProduceResponseData.TopicProduceResponse> topics = List.copyOf(answer.responses());
        assertThat(topics.get(0).partitionResponses())
                .extracting(partition -> Errors.forCode(partition.errorCode()))
                .containsExactly(Errors.NONE, Errors.NONE, Errors.NONE, Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(topics.get(1).partitionResponses())
                .extracting(partition -> Errors.forCode(partition.errorCode()))
                .containsExactly(version >= 13 ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    private void checkFetch(short version, FetchResponseData answer) {
        List<Errors> errors = answer.responses().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(partition -> Errors.forCode(partition.errorCode()))
                .toList();
        Errors unknown = version >= 13 ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
        assertThat(errors).containsExactly(Errors.NONE, Errors.UNKNOWN_TOPIC_OR_PARTITION, unknown, unknown);
        assertThat(answer.sessionId() != 0).isEqualTo(version >= 7);
    }

    private void checkListOffsets(short version, ListOffsetsResponseData answer) {
        assertThat(answer.topics().get(0).partitions())
                .extracting(partition -> Errors.forCode(partition.errorCode()))
                .containsExactly(Errors.NONE, version >= 9 ? Errors.NONE : Errors.UNSUPPORTED_VERSION);
        assertThat(answer.topics().get(1).partitions())
                .allMatch(partition -> partition.errorCode() == Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    private void checkCommit(short version, OffsetCommitResponseData answer) {
        assertThat(answer.topics()).hasSize(2);
        answer.topics().forEach(topic -> {
            boolean isKnown = version >= 10
                    ? topic.topicId().equals(Ids.toKafka(knownId))
                    : topic.name().equals(known);
            Errors unknown = version >= 10 ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
            assertThat(Errors.forCode(topic.partitions().get(0).errorCode()))
                    .isEqualTo(isKnown ? Errors.NONE : unknown);
        });
    }

    private void checkOffsetFetch(short version, OffsetFetchResponseData answer) {
        if (version < 8) {
            assertThat(answer.topics().get(0).partitions().get(0).committedOffset())
                    .isEqualTo(5);
            return;
        }
        assertThat(answer.groups()).extracting(group -> group.groupId()).containsExactly("g", "h");
        assertThat(answer.groups().get(0).topics()).hasSize(version >= 10 ? 2 : 1);
        assertThat(answer.groups().get(0).topics().get(0).partitions().get(0).committedOffset())
                .isEqualTo(5);
    }

    private static void checkLogDirs(short version, DescribeLogDirsResponseData answer) {
        DescribeLogDirsResponseData.DescribeLogDirsResult store =
                answer.results().get(0);
        assertThat(store.topics()).hasSize(1);
        assertThat(store.totalBytes()).isEqualTo(version >= 4 ? 4_000 : -1);
        assertThat(store.usableBytes()).isEqualTo(version >= 4 ? 1_000 : -1);
    }

    private void checkResources(short version, ListConfigResourcesResponseData answer) {
        assertThat(answer.errorCode()).isZero();
        List<String> expected = List.of("2 " + known, "2 __consumer_offsets", "4 7");
        assertThat(answer.configResources())
                .extracting(resource -> resource.resourceType() + " " + resource.resourceName())
                .containsExactlyInAnyOrderElementsOf(version == 0 ? List.of() : expected);
    }

    private static void checkCoordinator(short version, FindCoordinatorResponseData answer) {
        int node = version >= 4 ? answer.coordinators().get(0).nodeId() : answer.nodeId();
        assertThat(node).isEqualTo(7);
    }
}
