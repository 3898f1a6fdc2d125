package io.forebay.kafka.transactions;

import io.forebay.broker.Broker;
import io.forebay.broker.transactions.TransactionState;
import io.forebay.broker.transactions.TransactionStatus;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Lists the transactional ids that are coordinated here; tools ask every node. */
public final class ListTransactionsHandler implements ApiHandler<ListTransactionsRequestData> {

    private final Broker broker;
    private final Clock clock;

    public ListTransactionsHandler(Broker broker, Clock clock) {
        this.broker = broker;
        this.clock = clock;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LIST_TRANSACTIONS;
    }

    @Override
    public ListTransactionsRequestData read(Readable body, short version) {
        return new ListTransactionsRequestData(body, version);
    }

    @Override
    public void handle(ListTransactionsRequestData request, Exchange exchange) {
        Optional<Pattern> pattern;
        try {
            pattern = Optional.ofNullable(request.transactionalIdPattern())
                    .filter(text -> !text.isEmpty())
                    .map(Pattern::compile);
        } catch (PatternSyntaxException e) {
            exchange.answer(new ListTransactionsResponseData().setErrorCode(Errors.INVALID_REGULAR_EXPRESSION.code()));
            return;
        }
        exchange.answerWhen(broker.transactions().list().thenApply(all -> answer(request, pattern, all)));
    }

    private ListTransactionsResponseData answer(
            ListTransactionsRequestData request, Optional<Pattern> pattern, Optional<List<TransactionState>> all) {
        ListTransactionsResponseData response = new ListTransactionsResponseData();
        if (all.isEmpty()) {
            return response.setErrorCode(Errors.COORDINATOR_LOAD_IN_PROGRESS.code());
        }
        for (String wanted : request.stateFilters()) {
            if (TransactionStatus.named(wanted).isEmpty()) {
                response.unknownStateFilters().add(wanted);
            }
        }
        long nowMs = clock.wallMs();
        for (TransactionState state : all.get()) {
            boolean wanted = (request.stateFilters().isEmpty()
                            || request.stateFilters().contains(state.status().text()))
                    && (request.producerIdFilters().isEmpty()
                            || request.producerIdFilters().contains(state.producerId()))
                    && (request.durationFilter() < 0
                            || (state.status() == TransactionStatus.ONGOING
                                    && nowMs - state.startMs() > request.durationFilter()))
                    && (pattern.isEmpty()
                            || pattern.get().matcher(state.transactionalId()).matches());
            if (wanted) {
                response.transactionStates()
                        .add(new ListTransactionsResponseData.TransactionState()
                                .setTransactionalId(state.transactionalId())
                                .setProducerId(state.producerId())
                                .setTransactionState(state.status().text()));
            }
        }
        return response;
    }
}
