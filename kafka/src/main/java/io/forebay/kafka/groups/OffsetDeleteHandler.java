package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Leaders;
import io.forebay.model.When;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.requests.OffsetDeleteResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Deletes offsets of a group that nobody of it reads any more. */
public final class OffsetDeleteHandler implements ApiHandler<OffsetDeleteRequestData> {

    private final Broker broker;

    public OffsetDeleteHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_DELETE;
    }

    @Override
    public OffsetDeleteRequestData read(Readable body, short version) {
        return new OffsetDeleteRequestData(body, version);
    }

    @Override
    public void handle(OffsetDeleteRequestData request, Exchange exchange) {
        OffsetDeleteResponse.Builder response = new OffsetDeleteResponse.Builder();
        OffsetDeleteRequestData known = new OffsetDeleteRequestData().setGroupId(request.groupId());
        for (OffsetDeleteRequestTopic topic : request.topics()) {
            TopicImage image = broker.image().topic(topic.name());
            OffsetDeleteRequestTopic existing = new OffsetDeleteRequestTopic().setName(topic.name());
            for (OffsetDeleteRequestPartition partition : topic.partitions()) {
                if (Leaders.exists(image, partition.partitionIndex())) {
                    existing.partitions().add(partition);
                } else {
                    var unused = response.addPartition(
                            topic.name(), partition.partitionIndex(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
                }
            }
            if (!existing.partitions().isEmpty()) {
                known.topics().add(existing);
            }
        }
        When.done(
                broker.groups().deleteOffsets(GroupCaller.of(exchange), known, BufferSupplier.NO_CACHING),
                (deleted, failure) -> {
                    if (failure == null) {
                        exchange.answer(response.merge(deleted).build().data());
                    } else {
                        exchange.fail(failure);
                    }
                });
    }
}
