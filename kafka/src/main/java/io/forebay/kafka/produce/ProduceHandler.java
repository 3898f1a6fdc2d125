package io.forebay.kafka.produce;

import io.forebay.broker.Broker;
import io.forebay.broker.partition.ProduceResult;
import io.forebay.broker.transactions.TransactionalProducer;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.jspecify.annotations.Nullable;

/** Appends the batches of a request, one per partition; see {@link PendingProduce} for what the client is told. */
public final class ProduceHandler implements ApiHandler<ProduceRequestData> {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final ProduceResult UNKNOWN_TOPIC = ProduceResult.failed(Errors.UNKNOWN_TOPIC_OR_PARTITION, "");
    private static final ProduceResult UNKNOWN_ID = ProduceResult.failed(Errors.UNKNOWN_TOPIC_ID, "");
    private static final ProduceResult BAD_ACKS = ProduceResult.failed(Errors.INVALID_REQUIRED_ACKS, "");
    private static final ProduceResult INTERNAL =
            ProduceResult.failed(Errors.INVALID_TOPIC_EXCEPTION, "internal topics are written by the broker only");
    private static final ProduceResult TRANSACTIONAL = ProduceResult.failed(
            Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, "transactions are not offered by this broker");

    /** Kafka's own administration tools may write to internal topics. */
    private static final String ADMIN_CLIENT_ID = "__admin_client";

    private final Broker broker;

    public ProduceHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.PRODUCE;
    }

    /** As Kafka: where version 0 is not told, librdkafka silently stops compressing. It is not served, and nobody asks for it. */
    @Override
    public short lowestVersionTold() {
        return ApiKeys.PRODUCE_API_VERSIONS_RESPONSE_MIN_VERSION;
    }

    @Override
    public boolean isPipelined() {
        return true;
    }

    @Override
    public ProduceRequestData read(Readable body, short version) {
        return new ProduceRequestData(body, version);
    }

    @Override
    public void handle(ProduceRequestData request, Exchange exchange) {
        int batches = 0;
        for (TopicProduceData topic : request.topicData()) {
            batches += topic.partitionData().size();
        }
        PendingProduce pending = new PendingProduce(broker, exchange, request, batches);
        exchange.retainMemory(batches);
        ProduceResult wrong = wrongAltogether(request);
        Optional<TransactionalProducer> producer = Optional.ofNullable(request.transactionalId())
                .map(id -> new TransactionalProducer(id, ProduceRequest.isTransactionV2Requested(exchange.version())));
        ClusterImage image = broker.image();
        int next = 0;
        for (TopicProduceData topic : request.topicData()) {
            TopicImage known = find(image, topic, exchange.version());
            ProduceResult refusal = wrong != null ? wrong : wrongTopic(known, topic, exchange);
            List<PartitionProduceData> partitions = topic.partitionData();
            for (int i = 0; i < partitions.size(); i++) {
                PartitionProduceData partition = partitions.get(i);
                PendingProduce.Batch batch = pending.batch(next++);
                if (refusal != null) {
                    batch.refuse(refusal);
                } else if (known == null
                        || partition.index() < 0
                        || partition.index() >= known.partitions().size()) {
                    batch.refuse(UNKNOWN_TOPIC);
                } else {
                    broker.produce(known.id(), partition.index(), bytes(partition.records()), producer, batch);
                }
            }
        }
        pending.started();
    }

    private @Nullable ProduceResult wrongAltogether(ProduceRequestData request) {
        if (request.acks() < -1 || request.acks() > 1) {
            return BAD_ACKS;
        }
        return request.transactionalId() == null || broker.transactions().isOffered() ? null : TRANSACTIONAL;
    }

    private static @Nullable ProduceResult wrongTopic(
            @Nullable TopicImage known, TopicProduceData topic, Exchange exchange) {
        if (known == null) {
            return topic.topicId().equals(Uuid.ZERO_UUID) ? UNKNOWN_TOPIC : UNKNOWN_ID;
        }
        return known.internal() && !exchange.context().clientId().equals(ADMIN_CLIENT_ID) ? INTERNAL : null;
    }

    private static @Nullable TopicImage find(ClusterImage image, TopicProduceData topic, short version) {
        return version >= 13 ? image.topic(Ids.fromKafka(topic.topicId())) : image.topic(topic.name());
    }

    private static ByteBuffer bytes(@Nullable BaseRecords records) {
        return records == null ? NOTHING.duplicate() : ((MemoryRecords) records).buffer();
    }
}
