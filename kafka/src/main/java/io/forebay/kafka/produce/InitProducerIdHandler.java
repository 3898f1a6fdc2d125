package io.forebay.kafka.produce;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/**
 * Gives ids to idempotent producers, and epochs to transactional ones.
 *
 * <p>Where transactions are not offered, a transactional id is answered with UNSUPPORTED_VERSION: clients take this error as final
 * and name it to the user, where COORDINATOR_NOT_AVAILABLE would let them try again until their time is up and an
 * authorization error would send the user looking for rights that do not exist.
 */
public final class InitProducerIdHandler implements ApiHandler<InitProducerIdRequestData> {

    private static final long NO_PRODUCER_ID = -1;
    private static final short NO_EPOCH = -1;
    /** The first version whose clients know PRODUCER_FENCED. */
    private static final int FIRST_WITH_FENCED = 4;

    private final Broker broker;

    public InitProducerIdHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.INIT_PRODUCER_ID;
    }

    @Override
    public InitProducerIdRequestData read(Readable body, short version) {
        return new InitProducerIdRequestData(body, version);
    }

    @Override
    public void handle(InitProducerIdRequestData request, Exchange exchange) {
        boolean idWithoutEpoch = (request.producerId() == NO_PRODUCER_ID) != (request.producerEpoch() == NO_EPOCH);
        if (idWithoutEpoch) {
            refuse(exchange, Errors.INVALID_REQUEST);
        } else if (request.transactionalId() != null) {
            initTransactional(request, exchange);
        } else {
            // Whoever asks again after an error gets a new id: with epoch 0 its sequences begin anew.
            When.done(broker.admin().newProducerId(), (id, failure) -> {
                if (failure == null) {
                    exchange.answer(
                            new InitProducerIdResponseData().setProducerId(id).setProducerEpoch((short) 0));
                } else {
                    refuse(exchange, Errors.COORDINATOR_LOAD_IN_PROGRESS); // clients come back
                }
            });
        }
    }

    private void initTransactional(InitProducerIdRequestData request, Exchange exchange) {
        if (request.transactionalId().isEmpty()) {
            refuse(exchange, Errors.INVALID_REQUEST);
        } else if (!broker.transactions().isOffered() || request.enable2Pc() || request.keepPreparedTxn()) {
            refuse(exchange, Errors.UNSUPPORTED_VERSION);
        } else {
            When.done(
                    broker.transactions()
                            .init(
                                    request.transactionalId(),
                                    request.transactionTimeoutMs(),
                                    request.producerId(),
                                    request.producerEpoch()),
                    (decision, failure) -> {
                        Errors error = failure == null ? decision.error() : ErrorTable.of(failure);
                        if (error == Errors.NONE) {
                            exchange.answer(new InitProducerIdResponseData()
                                    .setProducerId(decision.producerId())
                                    .setProducerEpoch(decision.epoch()));
                        } else {
                            boolean unknown = error == Errors.PRODUCER_FENCED && exchange.version() < FIRST_WITH_FENCED;
                            refuse(exchange, unknown ? Errors.INVALID_PRODUCER_EPOCH : error);
                        }
                    });
        }
    }

    private static void refuse(Exchange exchange, Errors error) {
        exchange.answer(new InitProducerIdResponseData()
                .setErrorCode(error.code())
                .setProducerId(NO_PRODUCER_ID)
                .setProducerEpoch(NO_EPOCH));
    }
}
