package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** A member of a classic group asks for its assignment; the leader brings all of them. */
public final class SyncGroupHandler implements ApiHandler<SyncGroupRequestData> {

    private static final int FIRST_WITH_PROTOCOL = 5;

    private final Broker broker;

    public SyncGroupHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.SYNC_GROUP;
    }

    @Override
    public SyncGroupRequestData read(Readable body, short version) {
        return new SyncGroupRequestData(body, version);
    }

    @Override
    public void handle(SyncGroupRequestData request, Exchange exchange) {
        boolean nameless = request.protocolType() == null || request.protocolName() == null;
        if (exchange.version() >= FIRST_WITH_PROTOCOL && nameless) {
            exchange.answer(new SyncGroupResponseData().setErrorCode(Errors.INCONSISTENT_GROUP_PROTOCOL.code()));
            return;
        }
        exchange.answerWhen(broker.groups().syncGroup(GroupCaller.of(exchange), request, BufferSupplier.NO_CACHING));
    }
}
