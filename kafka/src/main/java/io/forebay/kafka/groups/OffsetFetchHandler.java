package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Gathering;
import io.forebay.kafka.api.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.jspecify.annotations.Nullable;

/** Tells how far groups have read: one group in old versions, several in new ones; topics by name, or by id in the newest. */
public final class OffsetFetchHandler implements ApiHandler<OffsetFetchRequestData> {

    private static final int FIRST_WITH_GROUPS = 8;
    private static final int NO_MEMBER_EPOCH = -1;
    private static final long NO_OFFSET = -1;

    private final Broker broker;

    public OffsetFetchHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_FETCH;
    }

    @Override
    public OffsetFetchRequestData read(Readable body, short version) {
        return new OffsetFetchRequestData(body, version);
    }

    @Override
    public void handle(OffsetFetchRequestData request, Exchange exchange) {
        List<OffsetFetchRequestGroup> groups =
                exchange.version() >= FIRST_WITH_GROUPS ? request.groups() : List.of(oneGroup(request));
        List<CompletableFuture<OffsetFetchResponseGroup>> parts = new ArrayList<>(groups.size());
        for (OffsetFetchRequestGroup group : groups) {
            parts.add(fetch(group, request.requireStable(), exchange));
        }
        Gathering.of(
                parts,
                failure -> new OffsetFetchResponseGroup()
                        .setErrorCode(ErrorTable.of(failure).code()),
                answers -> {
                    // A part that failed does not know whom it was about.
                    for (int i = 0; i < answers.size(); i++) {
                        answers.get(i).setGroupId(groups.get(i).groupId());
                    }
                    exchange.answer(new OffsetFetchResponse.Builder(answers)
                            .build(exchange.version())
                            .data());
                });
    }

    private static OffsetFetchRequestGroup oneGroup(OffsetFetchRequestData request) {
        List<OffsetFetchRequestTopics> topics = null;
        if (request.topics() != null) {
            topics = new ArrayList<>();
            for (OffsetFetchRequestData.OffsetFetchRequestTopic topic : request.topics()) {
                topics.add(new OffsetFetchRequestTopics()
                        .setName(topic.name())
                        .setPartitionIndexes(topic.partitionIndexes()));
            }
        }
        return new OffsetFetchRequestGroup()
                .setGroupId(request.groupId())
                .setMemberId(null)
                .setMemberEpoch(NO_MEMBER_EPOCH)
                .setTopics(topics);
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetch(
            OffsetFetchRequestGroup group, boolean requireStable, Exchange exchange) {
        if (!broker.mayServe()) {
            return CompletableFuture.failedFuture(Errors.NOT_COORDINATOR.exception());
        }
        boolean byId = OffsetFetchRequest.useTopicIds(exchange.version());
        if (!byId) {
            return broker.groups().fetchOffsets(GroupCaller.of(exchange), group, requireStable);
        }
        List<OffsetFetchResponseTopics> unknown = new ArrayList<>();
        OffsetFetchRequestGroup named = new OffsetFetchRequestGroup()
                .setGroupId(group.groupId())
                .setMemberId(group.memberId())
                .setMemberEpoch(group.memberEpoch())
                .setTopics(named(group.topics(), unknown));
        boolean all = group.topics() == null;
        return broker.groups()
                .fetchOffsets(GroupCaller.of(exchange), named, requireStable)
                .thenApply(answer -> withIds(answer, all, unknown));
    }

    // The coordinator knows topics by name; an id that nobody has is answered here.
    private @Nullable List<OffsetFetchRequestTopics> named(
            @Nullable List<OffsetFetchRequestTopics> topics, List<OffsetFetchResponseTopics> unknown) {
        if (topics == null) {
            return null;
        }
        List<OffsetFetchRequestTopics> named = new ArrayList<>();
        for (OffsetFetchRequestTopics topic : topics) {
            TopicImage image = broker.image().topic(Ids.fromKafka(topic.topicId()));
            if (image != null) {
                named.add(new OffsetFetchRequestTopics()
                        .setName(image.name())
                        .setTopicId(topic.topicId())
                        .setPartitionIndexes(topic.partitionIndexes()));
                continue;
            }
            OffsetFetchResponseTopics answered = new OffsetFetchResponseTopics().setTopicId(topic.topicId());
            for (int index : topic.partitionIndexes()) {
                answered.partitions()
                        .add(new OffsetFetchResponsePartitions()
                                .setPartitionIndex(index)
                                .setCommittedOffset(NO_OFFSET)
                                .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code()));
            }
            unknown.add(answered);
        }
        return named;
    }

    private OffsetFetchResponseGroup withIds(
            OffsetFetchResponseGroup answer, boolean all, List<OffsetFetchResponseTopics> unknown) {
        if (answer.errorCode() != Errors.NONE.code()) {
            return answer;
        }
        List<OffsetFetchResponseTopics> topics = new ArrayList<>();
        for (OffsetFetchResponseTopics topic : answer.topics()) {
            TopicImage image = broker.image().topic(topic.name());
            if (image != null) {
                topics.add(topic.setTopicId(Ids.toKafka(image.id())));
            } else if (!all) {
                topics.add(topic); // it was deleted meanwhile; its id came with the question
            }
        }
        topics.addAll(unknown);
        return answer.setTopics(topics);
    }
}
