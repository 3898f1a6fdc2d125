package io.forebay.kafka.offsets;

import io.forebay.broker.Broker;
import io.forebay.broker.partition.DeletedRecords;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Gathering;
import io.forebay.kafka.api.Leaders;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.jspecify.annotations.Nullable;

/** Moves the start of partitions up. Internal topics keep what they have. */
public final class DeleteRecordsHandler implements ApiHandler<DeleteRecordsRequestData> {

    private final Broker broker;

    public DeleteRecordsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DELETE_RECORDS;
    }

    @Override
    public DeleteRecordsRequestData read(Readable body, short version) {
        return new DeleteRecordsRequestData(body, version);
    }

    @Override
    public void handle(DeleteRecordsRequestData request, Exchange exchange) {
        List<CompletableFuture<DeletedRecords>> parts = new ArrayList<>();
        for (DeleteRecordsTopic topic : request.topics()) {
            TopicImage known = broker.image().topic(topic.name());
            for (DeleteRecordsPartition partition : topic.partitions()) {
                parts.add(ask(known, partition));
            }
        }
        Gathering.of(
                parts,
                failure -> new DeletedRecords(ErrorTable.of(failure), -1),
                deleted -> exchange.answer(response(request, deleted)));
    }

    private CompletableFuture<DeletedRecords> ask(@Nullable TopicImage topic, DeleteRecordsPartition partition) {
        if (topic == null || !Leaders.exists(topic, partition.partitionIndex())) {
            return CompletableFuture.completedFuture(new DeletedRecords(Errors.UNKNOWN_TOPIC_OR_PARTITION, -1));
        }
        if (topic.internal()) {
            return CompletableFuture.completedFuture(new DeletedRecords(Errors.INVALID_TOPIC_EXCEPTION, -1));
        }
        return broker.deleteRecords(topic.id(), partition.partitionIndex(), partition.offset());
    }

    private static DeleteRecordsResponseData response(DeleteRecordsRequestData request, List<DeletedRecords> deleted) {
        Iterator<DeletedRecords> next = deleted.iterator();
        DeleteRecordsResponseData response = new DeleteRecordsResponseData();
        for (DeleteRecordsTopic topic : request.topics()) {
            DeleteRecordsTopicResult answered = new DeleteRecordsTopicResult().setName(topic.name());
            for (DeleteRecordsPartition partition : topic.partitions()) {
                DeletedRecords result = next.next();
                answered.partitions()
                        .add(new DeleteRecordsPartitionResult()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(result.error().code())
                                .setLowWatermark(result.lowWatermark()));
            }
            response.topics().add(answered);
        }
        return response;
    }
}
