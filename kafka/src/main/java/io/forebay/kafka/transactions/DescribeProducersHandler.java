package io.forebay.kafka.transactions;

import io.forebay.broker.Broker;
import io.forebay.broker.partition.DescribedProducers;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.log.partition.ActiveProducer;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Tells which producers partitions remember, and which of them have an open transaction: how tools find one that hangs. */
public final class DescribeProducersHandler implements ApiHandler<DescribeProducersRequestData> {

    private final Broker broker;

    public DescribeProducersHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_PRODUCERS;
    }

    @Override
    public DescribeProducersRequestData read(Readable body, short version) {
        return new DescribeProducersRequestData(body, version);
    }

    @Override
    public void handle(DescribeProducersRequestData request, Exchange exchange) {
        DescribeProducersResponseData response = new DescribeProducersResponseData();
        List<CompletableFuture<Void>> parts = new ArrayList<>();
        for (TopicRequest topic : request.topics()) {
            TopicResponse answered = new TopicResponse().setName(topic.name());
            response.topics().add(answered);
            TopicImage image = broker.image().topic(topic.name());
            for (int index : topic.partitionIndexes()) {
                PartitionResponse partition = new PartitionResponse().setPartitionIndex(index);
                answered.partitions().add(partition);
                CompletableFuture<DescribedProducers> told = image == null
                        ? CompletableFuture.completedFuture(
                                new DescribedProducers(Errors.UNKNOWN_TOPIC_OR_PARTITION, List.of()))
                        : broker.producers(image.id(), index);
                parts.add(told.handle((found, failure) -> {
                    fill(
                            partition,
                            failure == null ? found : new DescribedProducers(ErrorTable.of(failure), List.of()));
                    return null;
                }));
            }
        }
        When.done(
                CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0])),
                (done, failure) -> exchange.answer(response));
    }

    private static void fill(PartitionResponse partition, DescribedProducers found) {
        partition.setErrorCode(found.error().code());
        for (ActiveProducer producer : found.producers()) {
            partition
                    .activeProducers()
                    .add(new ProducerState()
                            .setProducerId(producer.producerId())
                            .setProducerEpoch(producer.epoch())
                            .setLastSequence(producer.lastSequence())
                            .setLastTimestamp(producer.lastTimestampMs())
                            .setCoordinatorEpoch(producer.coordinatorEpoch())
                            .setCurrentTxnStartOffset(producer.openTransaction()));
        }
    }
}
