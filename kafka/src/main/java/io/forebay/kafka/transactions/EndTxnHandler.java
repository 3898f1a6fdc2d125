package io.forebay.kafka.transactions;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.requests.EndTxnRequest;

/** Commits or aborts a transaction. From version 5 on the epoch rises with it, and the answer brings the next one. */
public final class EndTxnHandler implements ApiHandler<EndTxnRequestData> {

    private static final short VERSION_ONE = 1;
    private static final short VERSION_TWO = 2;

    private final Broker broker;

    public EndTxnHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.END_TXN;
    }

    @Override
    public EndTxnRequestData read(Readable body, short version) {
        return new EndTxnRequestData(body, version);
    }

    @Override
    public void handle(EndTxnRequestData request, Exchange exchange) {
        boolean epochRises = exchange.version() > EndTxnRequest.LAST_STABLE_VERSION_BEFORE_TRANSACTION_V2;
        if (request.transactionalId().isEmpty()) {
            exchange.answer(new EndTxnResponseData().setErrorCode(Errors.INVALID_REQUEST.code()));
            return;
        }
        When.done(
                broker.transactions()
                        .end(
                                request.transactionalId(),
                                request.producerId(),
                                request.producerEpoch(),
                                request.committed(),
                                epochRises ? VERSION_TWO : VERSION_ONE),
                (decision, failure) -> {
                    Errors error = failure == null ? decision.error() : ErrorTable.of(failure);
                    EndTxnResponseData response = new EndTxnResponseData()
                            .setErrorCode(TransactionErrors.forClient(error, exchange.version())
                                    .code());
                    if (epochRises && error == Errors.NONE) {
                        response.setProducerId(decision.producerId()).setProducerEpoch(decision.epoch());
                    }
                    exchange.answer(response);
                });
    }
}
