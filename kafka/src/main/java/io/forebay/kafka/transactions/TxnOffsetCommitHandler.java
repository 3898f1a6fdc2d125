package io.forebay.kafka.transactions;

import io.forebay.broker.Broker;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import io.forebay.kafka.api.Leaders;
import io.forebay.kafka.groups.GroupCaller;
import io.forebay.model.When;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Offsets that a group gets when a transaction commits. */
public final class TxnOffsetCommitHandler implements ApiHandler<TxnOffsetCommitRequestData> {

    private final Broker broker;

    public TxnOffsetCommitHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.TXN_OFFSET_COMMIT;
    }

    @Override
    public TxnOffsetCommitRequestData read(Readable body, short version) {
        return new TxnOffsetCommitRequestData(body, version);
    }

    @Override
    public void handle(TxnOffsetCommitRequestData request, Exchange exchange) {
        TxnOffsetCommitResponseData refused = new TxnOffsetCommitResponseData();
        TxnOffsetCommitRequestData known = request.duplicate();
        known.topics().clear();
        for (TxnOffsetCommitRequestTopic topic : request.topics()) {
            TopicImage image = topic.name().isEmpty()
                    ? broker.image().topic(Ids.fromKafka(topic.topicId()))
                    : broker.image().topic(topic.name());
            TxnOffsetCommitRequestTopic existing = new TxnOffsetCommitRequestTopic()
                    .setTopicId(topic.topicId())
                    .setName(image == null ? topic.name() : image.name());
            TxnOffsetCommitResponseTopic missing = new TxnOffsetCommitResponseTopic()
                    .setTopicId(topic.topicId())
                    .setName(topic.name());
            Errors unknown = image == null && !topic.topicId().equals(Uuid.ZERO_UUID)
                    ? Errors.UNKNOWN_TOPIC_ID
                    : Errors.UNKNOWN_TOPIC_OR_PARTITION;
            for (TxnOffsetCommitRequestPartition partition : topic.partitions()) {
                if (Leaders.exists(image, partition.partitionIndex())) {
                    existing.partitions().add(partition);
                } else {
                    missing.partitions()
                            .add(new TxnOffsetCommitResponsePartition()
                                    .setPartitionIndex(partition.partitionIndex())
                                    .setErrorCode(unknown.code()));
                }
            }
            if (!existing.partitions().isEmpty()) {
                known.topics().add(existing);
            }
            if (!missing.partitions().isEmpty()) {
                refused.topics().add(missing);
            }
        }
        if (known.topics().isEmpty()) {
            exchange.answer(refused);
            return;
        }
        When.done(
                broker.groups().commitTransactionalOffsets(GroupCaller.of(exchange), known, BufferSupplier.NO_CACHING),
                (committed, failure) -> {
                    if (failure != null) {
                        exchange.fail(failure);
                        return;
                    }
                    committed.topics().addAll(refused.topics());
                    exchange.answer(committed);
                });
    }
}
