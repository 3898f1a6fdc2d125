package io.forebay.kafka.transactions;

import io.forebay.broker.Broker;
import io.forebay.broker.transactions.DescribedTransaction;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Tells all about transactional ids that are coordinated here. */
public final class DescribeTransactionsHandler implements ApiHandler<DescribeTransactionsRequestData> {

    private final Broker broker;

    public DescribeTransactionsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_TRANSACTIONS;
    }

    @Override
    public DescribeTransactionsRequestData read(Readable body, short version) {
        return new DescribeTransactionsRequestData(body, version);
    }

    @Override
    public void handle(DescribeTransactionsRequestData request, Exchange exchange) {
        List<CompletableFuture<TransactionState>> parts = new ArrayList<>();
        for (String id : request.transactionalIds()) {
            parts.add(
                    id.isEmpty()
                            ? CompletableFuture.completedFuture(
                                    new TransactionState().setErrorCode(Errors.INVALID_REQUEST.code()))
                            : broker.transactions().describe(id).thenApply(found -> described(id, found)));
        }
        exchange.answerWhen(CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> new DescribeTransactionsResponseData()
                        .setTransactionStates(
                                parts.stream().map(CompletableFuture::join).toList())));
    }

    private static TransactionState described(String id, DescribedTransaction found) {
        TransactionState told = new TransactionState()
                .setTransactionalId(id)
                .setErrorCode(found.error().code());
        found.state().ifPresent(state -> {
            told.setProducerId(state.producerId())
                    .setProducerEpoch(state.epoch())
                    .setTransactionTimeoutMs(state.timeoutMs())
                    .setTransactionStartTimeMs(state.startMs())
                    .setTransactionState(state.status().text());
            for (TopicPartition partition : state.partitions()) {
                TopicData topic = told.topics().find(partition.topic());
                if (topic == null) {
                    topic = new TopicData().setTopic(partition.topic());
                    told.topics().add(topic);
                }
                topic.partitions().add(partition.partition());
            }
        });
        return told;
    }
}
