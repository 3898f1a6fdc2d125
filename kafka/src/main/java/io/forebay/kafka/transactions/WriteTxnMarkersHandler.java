package io.forebay.kafka.transactions;

import io.forebay.broker.Broker;
import io.forebay.broker.partition.TransactionMarker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Ends transactions in partitions that are served here, whatever their coordinator says: how tools abort a transaction that hangs. */
public final class WriteTxnMarkersHandler implements ApiHandler<WriteTxnMarkersRequestData> {

    private final Broker broker;

    public WriteTxnMarkersHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.WRITE_TXN_MARKERS;
    }

    @Override
    public WriteTxnMarkersRequestData read(Readable body, short version) {
        return new WriteTxnMarkersRequestData(body, version);
    }

    @Override
    public void handle(WriteTxnMarkersRequestData request, Exchange exchange) {
        WriteTxnMarkersResponseData response = new WriteTxnMarkersResponseData();
        List<CompletableFuture<Void>> parts = new ArrayList<>();
        for (WritableTxnMarker marker : request.markers()) {
            WritableTxnMarkerResult result = new WritableTxnMarkerResult().setProducerId(marker.producerId());
            response.markers().add(result);
            for (WritableTxnMarkerTopic topic : marker.topics()) {
                WritableTxnMarkerTopicResult answered = new WritableTxnMarkerTopicResult().setName(topic.name());
                result.topics().add(answered);
                for (int index : topic.partitionIndexes()) {
                    WritableTxnMarkerPartitionResult partition =
                            new WritableTxnMarkerPartitionResult().setPartitionIndex(index);
                    answered.partitions().add(partition);
                    parts.add(write(marker, new TopicPartition(topic.name(), index), partition));
                }
            }
        }
        When.done(
                CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0])),
                (done, failure) -> exchange.answer(response));
    }

    private CompletableFuture<Void> write(
            WritableTxnMarker marker, TopicPartition partition, WritableTxnMarkerPartitionResult result) {
        TransactionMarker written = new TransactionMarker(
                marker.producerId(),
                marker.producerEpoch(),
                marker.transactionResult(),
                marker.coordinatorEpoch(),
                TransactionMarker.UNKNOWN_START,
                marker.transactionVersion());
        return broker.transactions().write(partition, written).handle((error, failure) -> {
            Errors told = failure == null ? error : ErrorTable.of(failure);
            WritableTxnMarkerPartitionResult unused = result.setErrorCode(told.code());
            return null;
        });
    }
}
