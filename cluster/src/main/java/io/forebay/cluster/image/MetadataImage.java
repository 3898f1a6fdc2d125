package io.forebay.cluster.image;

import com.google.protobuf.ByteString;
import io.forebay.formats.metadata.ClusterCreated;
import io.forebay.formats.metadata.ConfigScope;
import io.forebay.formats.metadata.ConfigSet;
import io.forebay.formats.metadata.IdsReserved;
import io.forebay.formats.metadata.LevelRaised;
import io.forebay.formats.metadata.MetadataBatch;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.formats.metadata.NodeDrained;
import io.forebay.formats.metadata.PartitionsAdded;
import io.forebay.formats.metadata.SessionFenced;
import io.forebay.formats.metadata.SessionRegistered;
import io.forebay.formats.metadata.ShardAssigned;
import io.forebay.formats.metadata.TermStarted;
import io.forebay.formats.metadata.TopicCreated;
import io.forebay.formats.metadata.TopicDeleted;
import io.forebay.formats.metadata.TopicPartition;
import io.forebay.log.journal.Maker;
import io.forebay.model.ShardId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * What replaying the metadata records gives. Immutable: applying a record makes a new image that shares the rest.
 *
 * <p>{@link #apply} is the only way to change; it takes every record that was ever written by any version, and refuses one that cannot follow.
 */
public final class MetadataImage implements ClusterImage {

    /** Before the first record. */
    public static final MetadataImage EMPTY = new MetadataImage(new Content());

    private final Content c;

    private MetadataImage(Content content) {
        this.c = content;
    }

    /** The fields; a copy is changed and then frozen in a new image. */
    private static final class Content implements Cloneable {
        long version;
        String clusterId = "";
        int userShards;
        int internalShards;
        long term = -1;
        int controllerNode = -1;
        int level = 1;
        long nextSession;
        long nextPartitionId = 1;
        long nextProducerId;
        PMap<String, TopicImage> topics = HashTreePMap.empty();
        PMap<UUID, String> topicNames = HashTreePMap.empty();
        PMap<Integer, NodeImage> nodes = HashTreePMap.empty();
        PMap<Long, SessionImage> sessions = HashTreePMap.empty();
        PMap<ShardId, ShardImage> shards = HashTreePMap.empty();
        PMap<String, Map<String, String>> brokerConfigs = HashTreePMap.empty();
        PMap<String, Map<String, String>> groupConfigs = HashTreePMap.empty();

        Content copy() {
            try {
                return (Content) clone();
            } catch (CloneNotSupportedException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }

    /** The image after all records of the batch. */
    public MetadataImage apply(MetadataBatch batch) {
        return apply(batch.getRecordsList());
    }

    /** The image after these records. */
    public MetadataImage apply(List<MetadataRecord> records) {
        Content next = c.copy();
        for (MetadataRecord record : records) {
            applyOne(next, record);
            next.version++;
        }
        return new MetadataImage(next);
    }

    private static void applyOne(Content next, MetadataRecord record) {
        switch (record.getKindCase()) {
            case CLUSTER_CREATED -> created(next, record.getClusterCreated());
            case TERM_STARTED -> {
                next.term = record.getTermStarted().getTerm();
                next.controllerNode = record.getTermStarted().getNodeId();
            }
            case SESSION_REGISTERED -> registered(next, record.getSessionRegistered());
            case SESSION_FENCED ->
                next.sessions = next.sessions.minus(record.getSessionFenced().getSession());
            case SHARD_ASSIGNED -> assigned(next, record.getShardAssigned());
            case TOPIC_CREATED -> topicCreated(next, record.getTopicCreated());
            case PARTITIONS_ADDED -> partitionsAdded(next, record.getPartitionsAdded());
            case TOPIC_DELETED -> topicDeleted(next, record.getTopicDeleted());
            case CONFIG_SET -> configSet(next, record.getConfigSet());
            case IDS_RESERVED -> {
                IdsReserved ids = record.getIdsReserved();
                next.nextProducerId = Math.max(next.nextProducerId, ids.getNextProducerId());
                next.nextPartitionId = Math.max(next.nextPartitionId, ids.getNextPartitionId());
                next.nextSession = Math.max(next.nextSession, ids.getNextSession());
            }
            case NODE_DRAINED -> drained(next, record.getNodeDrained());
            case LEVEL_RAISED ->
                next.level = Math.max(next.level, record.getLevelRaised().getLevel());
            case KIND_NOT_SET ->
                throw new IllegalStateException("metadata record " + next.version
                        + " is of a kind this version does not know: use a newer one");
        }
    }

    private static void created(Content next, ClusterCreated record) {
        next.clusterId = record.getClusterId();
        next.userShards = record.getUserShards();
        next.internalShards = record.getInternalShards();
    }

    private static void registered(Content next, SessionRegistered record) {
        long session = record.getSession();
        int nodeId = record.getNodeId();
        NodeImage before = next.nodes.get(nodeId);
        next.sessions = next.sessions.plus(
                session,
                new SessionImage(
                        session,
                        nodeId,
                        maker(record.getIncarnation()),
                        maker(record.getProcess()),
                        record.getLanes(),
                        Role.decoded(record.getRolesList()),
                        Math.max(1, record.getMaxLevel())));
        next.nodes = next.nodes.plus(
                nodeId,
                new NodeImage(
                        nodeId,
                        session,
                        record.getHost(),
                        record.getPort(),
                        record.getRack(),
                        before != null && before.drained()));
        next.nextSession = Math.max(next.nextSession, session + 1);
    }

    /** Nobody, where none was persisted. */
    private static Maker maker(ByteString bytes) {
        if (bytes.isEmpty()) {
            return new Maker(0, 0);
        }
        ByteBuffer id = bytes.asReadOnlyByteBuffer();
        return new Maker(id.getLong(), id.getLong());
    }

    private static ByteString bytes(Maker maker) {
        return ByteString.copyFrom(ByteBuffer.allocate(16)
                .putLong(maker.high())
                .putLong(maker.low())
                .flip());
    }

    private static void drained(Content next, NodeDrained record) {
        NodeImage n = next.nodes.get(record.getNodeId());
        if (n != null) {
            next.nodes = next.nodes.plus(
                    n.nodeId(),
                    new NodeImage(n.nodeId(), n.session(), n.host(), n.port(), n.rack(), record.getDrained()));
        }
    }

    private static void assigned(Content next, ShardAssigned record) {
        ShardId id = new ShardId(record.getShard());
        ShardImage before = next.shards.get(id);
        if (before != null && record.getEpoch() <= before.epoch()) {
            throw new IllegalStateException(
                    "shard " + id + " goes back from epoch " + before.epoch() + " to " + record.getEpoch());
        }
        next.shards =
                next.shards.plus(id, new ShardImage(id, record.getEpoch(), record.getNodeId(), record.getSession()));
    }

    private static void topicCreated(Content next, TopicCreated record) {
        UUID id = TopicIds.fromBytes(record.getId());
        List<PartitionImage> partitions = new ArrayList<>();
        addPartitions(next, partitions, record.getPartitionsList());
        next.topics = next.topics.plus(
                record.getName(),
                new TopicImage(record.getName(), id, record.getInternal(), partitions, record.getConfigsMap()));
        next.topicNames = next.topicNames.plus(id, record.getName());
    }

    private static void partitionsAdded(Content next, PartitionsAdded record) {
        String name = next.topicNames.get(TopicIds.fromBytes(record.getTopicId()));
        TopicImage topic = name == null ? null : next.topics.get(name);
        if (topic == null) {
            throw new IllegalStateException("partitions were added to a topic that does not exist");
        }
        List<PartitionImage> partitions = new ArrayList<>(topic.partitions());
        addPartitions(next, partitions, record.getPartitionsList());
        next.topics = next.topics.plus(
                topic.name(), new TopicImage(topic.name(), topic.id(), topic.internal(), partitions, topic.configs()));
    }

    private static void addPartitions(Content next, List<PartitionImage> partitions, List<TopicPartition> added) {
        for (TopicPartition p : added) {
            if (p.getIndex() != partitions.size()) {
                throw new IllegalStateException(
                        "partition " + partitions.size() + " of a topic is missing before " + p.getIndex());
            }
            partitions.add(new PartitionImage(p.getIndex(), p.getPartitionId(), new ShardId(p.getShard())));
            next.nextPartitionId = Math.max(next.nextPartitionId, p.getPartitionId() + 1);
        }
    }

    private static void topicDeleted(Content next, TopicDeleted record) {
        UUID id = TopicIds.fromBytes(record.getId());
        String name = next.topicNames.get(id);
        if (name != null) {
            next.topics = next.topics.minus(name);
            next.topicNames = next.topicNames.minus(id);
        }
    }

    private static void configSet(Content next, ConfigSet record) {
        switch (record.getScope()) {
            case TOPIC -> {
                TopicImage topic = next.topics.get(record.getName());
                if (topic != null) {
                    next.topics = next.topics.plus(
                            topic.name(),
                            new TopicImage(
                                    topic.name(),
                                    topic.id(),
                                    topic.internal(),
                                    topic.partitions(),
                                    changed(topic.configs(), record)));
                }
            }
            case BROKER -> next.brokerConfigs = changed(next.brokerConfigs, record);
            case GROUP -> next.groupConfigs = changed(next.groupConfigs, record);
            default -> throw new IllegalStateException("a config record of unknown scope: use a newer version");
        }
    }

    private static PMap<String, Map<String, String>> changed(PMap<String, Map<String, String>> all, ConfigSet record) {
        Map<String, String> settings = changed(all.getOrDefault(record.getName(), Map.of()), record);
        return settings.isEmpty() ? all.minus(record.getName()) : all.plus(record.getName(), settings);
    }

    private static Map<String, String> changed(Map<String, String> settings, ConfigSet record) {
        PMap<String, String> before = HashTreePMap.from(settings);
        return record.hasValue() ? before.plus(record.getKey(), record.getValue()) : before.minus(record.getKey());
    }

    /** Records that make this image out of nothing, for a snapshot. */
    public List<MetadataRecord> toRecords() {
        List<MetadataRecord> all = new ArrayList<>();
        all.add(MetadataRecord.newBuilder()
                .setClusterCreated(ClusterCreated.newBuilder()
                        .setClusterId(c.clusterId)
                        .setUserShards(c.userShards)
                        .setInternalShards(c.internalShards))
                .build());
        all.add(MetadataRecord.newBuilder()
                .setTermStarted(TermStarted.newBuilder().setTerm(c.term).setNodeId(c.controllerNode))
                .build());
        if (c.level > 1) {
            all.add(MetadataRecord.newBuilder()
                    .setLevelRaised(LevelRaised.newBuilder().setLevel(c.level))
                    .build());
        }
        // A node whose last session is fenced is still known by its address.
        c.nodes.values().forEach(node -> nodeRecords(all, node));
        c.shards.values().forEach(s -> all.add(assignment(s.id(), s.epoch(), s.ownerNode(), s.ownerSession())));
        c.topics.values().forEach(topic -> all.add(topicRecord(topic)));
        c.brokerConfigs.forEach((name, settings) -> configRecords(all, ConfigScope.BROKER, name, settings));
        c.groupConfigs.forEach((name, settings) -> configRecords(all, ConfigScope.GROUP, name, settings));
        all.add(MetadataRecord.newBuilder()
                .setIdsReserved(IdsReserved.newBuilder()
                        .setNextPartitionId(c.nextPartitionId)
                        .setNextProducerId(c.nextProducerId)
                        .setNextSession(c.nextSession))
                .build());
        return all;
    }

    private void nodeRecords(List<MetadataRecord> all, NodeImage node) {
        SessionImage current = c.sessions.get(node.session());
        for (SessionImage session : c.sessions.values()) {
            if (session.nodeId() == node.nodeId() && session.session() != node.session()) {
                all.add(registration(session, node));
            }
        }
        all.add(registration(
                current != null
                        ? current
                        : new SessionImage(
                                node.session(), node.nodeId(), new Maker(0, 0), new Maker(0, 0), 1, Role.ALL, 1),
                node));
        if (current == null) {
            all.add(MetadataRecord.newBuilder()
                    .setSessionFenced(SessionFenced.newBuilder().setSession(node.session()))
                    .build());
        }
        if (node.drained()) {
            all.add(drain(node.nodeId(), true));
        }
    }

    /** The record that says whether a node keeps no shards. */
    public static MetadataRecord drain(int nodeId, boolean drained) {
        return MetadataRecord.newBuilder()
                .setNodeDrained(NodeDrained.newBuilder().setNodeId(nodeId).setDrained(drained))
                .build();
    }

    /** The record that registers a session. */
    public static MetadataRecord registration(SessionImage session, NodeImage node) {
        return MetadataRecord.newBuilder()
                .setSessionRegistered(SessionRegistered.newBuilder()
                        .setSession(session.session())
                        .setNodeId(session.nodeId())
                        .setIncarnation(bytes(session.incarnation()))
                        .setHost(node.host())
                        .setPort(node.port())
                        .setRack(node.rack())
                        .setLanes(session.lanes())
                        .setProcess(bytes(session.process()))
                        .addAllRoles(session.roles().stream()
                                .sorted()
                                .map(Role::encoded)
                                .toList())
                        .setMaxLevel(session.maxLevel()))
                .build();
    }

    /** The record that gives a shard to a session. */
    public static MetadataRecord assignment(ShardId shard, long epoch, int nodeId, long session) {
        return MetadataRecord.newBuilder()
                .setShardAssigned(ShardAssigned.newBuilder()
                        .setShard(shard.value())
                        .setEpoch(epoch)
                        .setNodeId(nodeId)
                        .setSession(session))
                .build();
    }

    /** The record that creates a topic. */
    public static MetadataRecord topicRecord(TopicImage topic) {
        TopicCreated.Builder created = TopicCreated.newBuilder()
                .setName(topic.name())
                .setId(TopicIds.toBytes(topic.id()))
                .setInternal(topic.internal())
                .putAllConfigs(topic.configs());
        topic.partitions().forEach(p -> created.addPartitions(partitionRecord(p)));
        return MetadataRecord.newBuilder().setTopicCreated(created).build();
    }

    /** The record that adds partitions to a topic. */
    public static MetadataRecord partitionsRecord(UUID topicId, List<PartitionImage> partitions) {
        PartitionsAdded.Builder added = PartitionsAdded.newBuilder().setTopicId(TopicIds.toBytes(topicId));
        partitions.forEach(p -> added.addPartitions(partitionRecord(p)));
        return MetadataRecord.newBuilder().setPartitionsAdded(added).build();
    }

    /** The record that deletes a topic. */
    public static MetadataRecord deletion(UUID topicId) {
        return MetadataRecord.newBuilder()
                .setTopicDeleted(TopicDeleted.newBuilder().setId(TopicIds.toBytes(topicId)))
                .build();
    }

    /** The record that changes one setting; no value: back to the default. */
    public static MetadataRecord setting(ConfigScope scope, String name, String key, Optional<String> value) {
        ConfigSet.Builder set =
                ConfigSet.newBuilder().setScope(scope).setName(name).setKey(key);
        value.ifPresent(set::setValue);
        return MetadataRecord.newBuilder().setConfigSet(set).build();
    }

    private static TopicPartition partitionRecord(PartitionImage p) {
        return TopicPartition.newBuilder()
                .setIndex(p.index())
                .setPartitionId(p.partitionId())
                .setShard(p.shard().value())
                .build();
    }

    private static void configRecords(
            List<MetadataRecord> all, ConfigScope scope, String name, Map<String, String> settings) {
        settings.forEach((key, value) -> all.add(setting(scope, name, key, Optional.of(value))));
    }

    /** A snapshot's image: the version that its name states instead of the number of its records. */
    public MetadataImage withVersion(long version) {
        Content next = c.copy();
        next.version = version;
        return new MetadataImage(next);
    }

    @Override
    public long version() {
        return c.version;
    }

    @Override
    public String clusterId() {
        return c.clusterId;
    }

    @Override
    public int controllerNode() {
        return c.controllerNode;
    }

    /** Term of the last controller; −1 before the first. */
    public long term() {
        return c.term;
    }

    /** Number of shards for users' topics. */
    public int userShards() {
        return c.userShards;
    }

    /** Number of shards for internal topics. */
    public int internalShards() {
        return c.internalShards;
    }

    public long nextSession() {
        return c.nextSession;
    }

    public long nextPartitionId() {
        return c.nextPartitionId;
    }

    public long nextProducerId() {
        return c.nextProducerId;
    }

    /** Sessions that are not known to be fenced. */
    public Collection<SessionImage> sessions() {
        return c.sessions.values();
    }

    /** Whether a session was registered once and is recorded as fenced. */
    public boolean isEnded(long session) {
        return session < c.nextSession && !c.sessions.containsKey(session);
    }

    @Override
    public @Nullable TopicImage topic(String name) {
        return c.topics.get(name);
    }

    @Override
    public @Nullable TopicImage topic(UUID id) {
        String name = c.topicNames.get(id);
        return name == null ? null : c.topics.get(name);
    }

    @Override
    public Collection<TopicImage> topics() {
        return c.topics.values();
    }

    @Override
    public @Nullable ShardImage shard(ShardId id) {
        return c.shards.get(id);
    }

    @Override
    public Collection<ShardImage> shards() {
        return c.shards.values();
    }

    @Override
    public @Nullable NodeImage node(int nodeId) {
        return c.nodes.get(nodeId);
    }

    /** Every node that ever registered, also those without a living session. */
    public Collection<NodeImage> everyNode() {
        return c.nodes.values();
    }

    @Override
    public Collection<NodeImage> nodes() {
        return c.nodes.values().stream().filter(node -> isLive(node.session())).toList();
    }

    @Override
    public Collection<NodeImage> brokers() {
        return c.nodes.values().stream()
                .filter(node -> {
                    SessionImage session = c.sessions.get(node.session());
                    return session != null && Role.ownsShards(session.roles());
                })
                .toList();
    }

    @Override
    public boolean isLive(long session) {
        return c.sessions.containsKey(session);
    }

    /** The session; null if it is over, or never began. */
    public @Nullable SessionImage session(long session) {
        return c.sessions.get(session);
    }

    /** Feature level of the cluster: records may need so much to be read. */
    public int level() {
        return c.level;
    }

    @Override
    public Map<String, String> brokerConfigs(String nodeIdOrEmpty) {
        return c.brokerConfigs.getOrDefault(nodeIdOrEmpty, Map.of());
    }

    @Override
    public Map<String, String> groupConfigs(String groupId) {
        return c.groupConfigs.getOrDefault(groupId, Map.of());
    }
}
