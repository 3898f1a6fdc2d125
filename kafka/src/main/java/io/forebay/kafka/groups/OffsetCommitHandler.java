package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import io.forebay.kafka.api.Leaders;
import io.forebay.model.When;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Remembers how far a group has read. Topics come by name, or by id in new versions. */
public final class OffsetCommitHandler implements ApiHandler<OffsetCommitRequestData> {

    private final Broker broker;

    public OffsetCommitHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_COMMIT;
    }

    @Override
    public OffsetCommitRequestData read(Readable body, short version) {
        return new OffsetCommitRequestData(body, version);
    }

    @Override
    public void handle(OffsetCommitRequestData request, Exchange exchange) {
        boolean byId = OffsetCommitResponse.useTopicIds(exchange.version());
        OffsetCommitResponse.Builder response = OffsetCommitResponse.newBuilder(byId);
        OffsetCommitRequestData known = new OffsetCommitRequestData()
                .setGroupId(request.groupId())
                .setMemberId(request.memberId())
                .setGenerationIdOrMemberEpoch(request.generationIdOrMemberEpoch())
                .setRetentionTimeMs(request.retentionTimeMs())
                .setGroupInstanceId(request.groupInstanceId());
        for (OffsetCommitRequestTopic topic : request.topics()) {
            TopicImage image = byId
                    ? broker.image().topic(Ids.fromKafka(topic.topicId()))
                    : broker.image().topic(topic.name());
            Errors unknown = byId && image == null ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
            OffsetCommitRequestTopic existing = new OffsetCommitRequestTopic()
                    .setTopicId(topic.topicId())
                    .setName(image == null ? topic.name() : image.name());
            for (OffsetCommitRequestPartition partition : topic.partitions()) {
                if (Leaders.exists(image, partition.partitionIndex())) {
                    existing.partitions().add(partition);
                } else {
                    var unused = response.addPartition(
                            topic.topicId(), existing.name(), partition.partitionIndex(), unknown);
                }
            }
            if (!existing.partitions().isEmpty()) {
                known.topics().add(existing);
            }
        }
        if (known.topics().isEmpty()) {
            exchange.answer(response.build().data());
            return;
        }
        When.done(
                broker.groups().commitOffsets(GroupCaller.of(exchange), known, BufferSupplier.NO_CACHING),
                (committed, failure) -> {
                    if (failure == null) {
                        exchange.answer(response.merge(committed).build().data());
                    } else {
                        exchange.fail(failure);
                    }
                });
    }
}
