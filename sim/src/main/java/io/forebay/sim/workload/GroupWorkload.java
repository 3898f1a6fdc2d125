package io.forebay.sim.workload;

import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.When;
import io.forebay.sim.groups.SimulatedGroups;
import io.forebay.sim.groups.SimulatedGroups.Answer;
import io.forebay.sim.world.Connection;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Utils;

/**
 * A group whose one client commits growing offsets and asks for them, one request at a time, sometimes at a node that should be over. It
 * commits either without membership or as a member that chose its id (KIP-848), heartbeats, and leaves and joins again.
 *
 * <p>An acknowledged or shown offset must be shown by its epoch and all later ones. At the end the last one sent is acknowledged and
 * there. Not checked: that a coordinator whose epoch is over falls silent at once; that a membership lasts; several members, and classic
 * ones, whose ids Kafka draws by itself.
 */
public final class GroupWorkload implements Workload {

    private static final int TIMEOUT_MS = 3_000;
    private static final int HEARTBEAT_MS = 4_000;
    private static final int REBALANCE_TIMEOUT_MS = 60_000;
    private static final int JOIN_EPOCH = 0;
    private static final int LEAVE_EPOCH = -1;

    /** The client finds the coordinator and tries again. */
    private static final Set<Errors> RETRIABLE = Set.of(
            Errors.NOT_COORDINATOR,
            Errors.COORDINATOR_LOAD_IN_PROGRESS,
            Errors.NOT_LEADER_OR_FOLLOWER,
            Errors.REQUEST_TIMED_OUT);

    /** The member joins anew. A coordinator whose epoch is over may not even know the group. */
    private static final Set<Errors> MEMBERSHIP_LOST = Set.of(
            Errors.UNKNOWN_MEMBER_ID,
            Errors.STALE_MEMBER_EPOCH,
            Errors.FENCED_MEMBER_EPOCH,
            Errors.GROUP_ID_NOT_FOUND,
            Errors.ILLEGAL_GENERATION);

    private final World world;
    private final RandomGenerator random;
    private final String group;
    private final String topic;
    private final boolean member;
    private final UUID offsetsTopic;
    private final int offsetsPartition;
    private final List<CommittedOffset> offsets;
    private final Loop loop;
    /**
     * One for each life, kept: a commit that timed out may wait in a node that stands still, and must not be overtaken by the next one on
     * its way to the same coordinator.
     */
    private final Map<SimulatedNode, Connection> connections = new HashMap<>();

    private Connection connection;
    private int memberEpoch = JOIN_EPOCH;
    private long heartbeatDueNanos;
    private long request;
    private boolean waiting;
    private boolean stopped;

    /**
     * Prepares a group.
     *
     * @param offsetsPartitions number of partitions of the offsets topic
     */
    public GroupWorkload(
            World world, String group, String topic, int partitions, int offsetsPartitions, boolean member) {
        this.world = world;
        this.random = world.random(group);
        this.group = group;
        this.topic = topic;
        this.member = member;
        this.offsetsTopic = world.topic(Topic.GROUP_METADATA_TOPIC_NAME);
        this.offsetsPartition = Utils.abs(group.hashCode()) % offsetsPartitions;
        this.offsets = IntStream.range(0, partitions)
                .mapToObj(partition -> new CommittedOffset(group + "'s offset in " + topic + "-" + partition))
                .toList();
        this.loop = world.clients().loop("client");
        this.connection = connect();
    }

    /** The coordinator lives where the group's partition of the offsets topic is led. */
    private SimulatedNode believed() {
        return world.believed(offsetsTopic, offsetsPartition, random);
    }

    private Connection connect() {
        return connections.computeIfAbsent(believed(), node -> world.connect(node, random));
    }

    @Override
    public void start() {
        act();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean settled() {
        return !waiting && offsets.stream().allMatch(CommittedOffset::settled);
    }

    @Override
    public String toString() {
        return group;
    }

    private void act() {
        if (stopped && settled()) {
            return;
        }
        if (member && (memberEpoch == JOIN_EPOCH || now() >= heartbeatDueNanos)) {
            heartbeat();
        } else if (!stopped && random.nextInt(3) == 0) {
            fetch();
        } else {
            commit();
        }
    }

    // ------------------------------------------------------------------ requests

    private void commit() {
        List<OffsetCommitRequestPartition> commits = new ArrayList<>();
        for (int partition = 0; partition < offsets.size(); partition++) {
            CommittedOffset offset = offsets.get(partition);
            if (!stopped && random.nextInt(3) > 0) {
                commits.add(commit(partition, offset.next(random)));
            } else if (!offset.settled()) {
                commits.add(commit(partition, offset.sent()));
            }
        }
        if (commits.isEmpty()) {
            fetch();
            return;
        }
        OffsetCommitRequestData data = new OffsetCommitRequestData()
                .setGroupId(group)
                .setMemberId(member ? memberId() : "")
                .setGenerationIdOrMemberEpoch(member ? memberEpoch : -1)
                .setTopics(List.of(new OffsetCommitRequestTopic().setName(topic).setPartitions(commits)));
        send(groups -> groups.commit(data), answer -> committed(data, answer));
    }

    private static OffsetCommitRequestPartition commit(int partition, long offset) {
        return new OffsetCommitRequestPartition()
                .setPartitionIndex(partition)
                .setCommittedOffset(offset)
                .setCommittedMetadata(CommittedOffset.metadata(offset));
    }

    private Errors committed(OffsetCommitRequestData data, Answer<OffsetCommitResponseData> answer) {
        Errors worst = Errors.NONE;
        List<OffsetCommitRequestPartition> asked = data.topics().get(0).partitions();
        List<OffsetCommitResponsePartition> answers =
                answer.response().topics().get(0).partitions();
        for (int i = 0; i < asked.size(); i++) {
            Errors error = Errors.forCode(answers.get(i).errorCode());
            if (error == Errors.NONE) {
                offsets.get(asked.get(i).partitionIndex())
                        .acknowledged(asked.get(i).committedOffset(), answer.epoch());
            } else {
                worst = error;
            }
        }
        return worst;
    }

    private void fetch() {
        List<NavigableMap<Integer, Long>> before =
                offsets.stream().map(CommittedOffset::promises).toList();
        boolean requireStable = random.nextBoolean();
        send(groups -> groups.fetch(fetchRequest(), requireStable), answer -> {
            Errors error = Errors.forCode(answer.response().errorCode());
            if (error == Errors.NONE) {
                for (OffsetFetchResponsePartitions shown : partitions(answer)) {
                    int partition = shown.partitionIndex();
                    offsets.get(partition)
                            .shown(
                                    shown.committedOffset(),
                                    String.valueOf(shown.metadata()),
                                    before.get(partition),
                                    answer.epoch());
                }
            }
            return error;
        });
    }

    private OffsetFetchRequestGroup fetchRequest() {
        List<Integer> all = IntStream.range(0, offsets.size()).boxed().toList();
        return new OffsetFetchRequestGroup()
                .setGroupId(group)
                .setTopics(List.of(new OffsetFetchRequestTopics().setName(topic).setPartitionIndexes(all)));
    }

    private static List<OffsetFetchResponsePartitions> partitions(Answer<OffsetFetchResponseGroup> answer) {
        return answer.response().topics().get(0).partitions();
    }

    private void heartbeat() {
        ConsumerGroupHeartbeatRequestData data =
                new ConsumerGroupHeartbeatRequestData().setGroupId(group).setMemberId(memberId());
        if (memberEpoch == JOIN_EPOCH) {
            data.setMemberEpoch(JOIN_EPOCH)
                    .setRebalanceTimeoutMs(REBALANCE_TIMEOUT_MS)
                    .setSubscribedTopicNames(List.of(topic))
                    .setTopicPartitions(List.of());
        } else {
            data.setMemberEpoch(random.nextInt(5) == 0 ? LEAVE_EPOCH : memberEpoch);
        }
        heartbeatDueNanos = now() + HEARTBEAT_MS * 1_000_000L;
        send(groups -> groups.heartbeat(data), answer -> {
            ConsumerGroupHeartbeatResponseData response = answer.response();
            Errors error = Errors.forCode(response.errorCode());
            if (error == Errors.NONE) {
                memberEpoch = Math.max(JOIN_EPOCH, response.memberEpoch());
            }
            return error;
        });
    }

    private String memberId() {
        return group + "-member";
    }

    private long now() {
        return world.simulation().clock().nanos();
    }

    // ------------------------------------------------------------------ one at a time

    private <T> void send(
            Function<SimulatedGroups, CompletableFuture<Answer<T>>> ask, Function<Answer<T>, Errors> use) {
        long mine = ++request;
        waiting = true;
        Connection used = connection;
        used.send(() -> ask(
                used.node().groups(),
                ask,
                answer -> world.toClients(random, () -> done(mine, use.apply(answer))),
                e -> world.toClients(random, () -> done(mine, e))));
        var unused = loop.schedule(() -> done(mine, Errors.REQUEST_TIMED_OUT), TIMEOUT_MS);
    }

    private static <T> void ask(
            SimulatedGroups groups,
            Function<SimulatedGroups, CompletableFuture<Answer<T>>> ask,
            Consumer<Answer<T>> answered,
            Consumer<Errors> failed) {
        When.done(ask.apply(groups), (answer, failure) -> {
            if (failure == null) {
                answered.accept(answer);
            } else {
                failed.accept(Errors.forException(Retry.unwrap(failure)));
            }
        });
    }

    /** What a late answer says was used; it ends nothing. */
    private void done(long mine, Errors error) {
        if (mine != request || !waiting) {
            return;
        }
        waiting = false;
        if (member && MEMBERSHIP_LOST.contains(error)) {
            memberEpoch = JOIN_EPOCH;
        } else if (RETRIABLE.contains(error)) {
            connection = connect();
        } else if (error != Errors.NONE) {
            throw new AssertionError(group + " got an error that no client expects: " + error);
        }
        var unused = loop.schedule(this::act, 1 + random.nextInt(100));
    }

    // ------------------------------------------------------------------ the end

    @Override
    public void check() {
        AtomicBoolean checked = new AtomicBoolean();
        checkFrom(checked);
        world.await(checked::get, "the offsets of " + group);
    }

    /** Asks the newest node until its coordinator has loaded. */
    private void checkFrom(AtomicBoolean checked) {
        SimulatedNode node = world.leader(offsetsTopic, offsetsPartition).orElseGet(this::believed);
        world.toNode(
                node,
                random,
                () -> ask(
                        node.groups(),
                        groups -> groups.fetch(fetchRequest(), false),
                        answer -> world.toClients(random, () -> {
                            for (OffsetFetchResponsePartitions shown : partitions(answer)) {
                                offsets.get(shown.partitionIndex()).last(shown.committedOffset());
                            }
                            checked.set(true);
                        }),
                        error -> world.toClients(random, () -> {
                            if (!RETRIABLE.contains(error)) {
                                throw new AssertionError(group + "'s offsets cannot be read: " + error);
                            }
                            checkFrom(checked);
                        })));
    }
}
