package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;

/** A member of a classic group says that it lives. */
public final class HeartbeatHandler implements ApiHandler<HeartbeatRequestData> {

    private final Broker broker;

    public HeartbeatHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.HEARTBEAT;
    }

    @Override
    public HeartbeatRequestData read(Readable body, short version) {
        return new HeartbeatRequestData(body, version);
    }

    @Override
    public void handle(HeartbeatRequestData request, Exchange exchange) {
        exchange.answerWhen(broker.groups().heartbeat(GroupCaller.of(exchange), request));
    }
}
