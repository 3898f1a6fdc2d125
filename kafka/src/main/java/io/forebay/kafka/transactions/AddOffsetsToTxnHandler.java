package io.forebay.kafka.transactions;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Adds the partition that holds a group's offsets to a transaction. Producers of version 2 leave that to the group's coordinator. */
public final class AddOffsetsToTxnHandler implements ApiHandler<AddOffsetsToTxnRequestData> {

    private static final short VERSION_ONE = 1;

    private final Broker broker;

    public AddOffsetsToTxnHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ADD_OFFSETS_TO_TXN;
    }

    @Override
    public AddOffsetsToTxnRequestData read(Readable body, short version) {
        return new AddOffsetsToTxnRequestData(body, version);
    }

    @Override
    public void handle(AddOffsetsToTxnRequestData request, Exchange exchange) {
        if (request.transactionalId().isEmpty()) {
            answer(exchange, Errors.INVALID_REQUEST);
            return;
        }
        int partition;
        try {
            partition = broker.groups().partitionFor(request.groupId());
        } catch (RuntimeException failure) {
            answer(exchange, ErrorTable.of(failure));
            return;
        }
        When.done(
                broker.transactions()
                        .add(
                                request.transactionalId(),
                                request.producerId(),
                                request.producerEpoch(),
                                List.of(new TopicPartition(Topic.GROUP_METADATA_TOPIC_NAME, partition)),
                                VERSION_ONE),
                (decision, failure) -> answer(exchange, failure == null ? decision.error() : ErrorTable.of(failure)));
    }

    private static void answer(Exchange exchange, Errors error) {
        exchange.answer(new AddOffsetsToTxnResponseData()
                .setErrorCode(
                        TransactionErrors.forClient(error, exchange.version()).code()));
    }
}
