package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;

/** A member of a consumer-protocol group joins, lives, changes or leaves (KIP-848). */
public final class ConsumerGroupHeartbeatHandler implements ApiHandler<ConsumerGroupHeartbeatRequestData> {

    private final Broker broker;

    public ConsumerGroupHeartbeatHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.CONSUMER_GROUP_HEARTBEAT;
    }

    @Override
    public ConsumerGroupHeartbeatRequestData read(Readable body, short version) {
        return new ConsumerGroupHeartbeatRequestData(body, version);
    }

    @Override
    public void handle(ConsumerGroupHeartbeatRequestData request, Exchange exchange) {
        exchange.answerWhen(broker.groups().consumerGroupHeartbeat(GroupCaller.of(exchange), request));
    }
}
