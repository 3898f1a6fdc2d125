package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** A member joins a classic group, and waits for the others. */
public final class JoinGroupHandler implements ApiHandler<JoinGroupRequestData> {

    private final Broker broker;

    public JoinGroupHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.JOIN_GROUP;
    }

    @Override
    public JoinGroupRequestData read(Readable body, short version) {
        return new JoinGroupRequestData(body, version);
    }

    @Override
    public void handle(JoinGroupRequestData request, Exchange exchange) {
        short version = exchange.version();
        // Both wrappings make up for what old versions cannot say: a rebalance time-out, the absence of a protocol
        // name.
        JoinGroupRequest complete = new JoinGroupRequest(request, version);
        When.done(
                broker.groups().joinGroup(GroupCaller.of(exchange), complete.data(), BufferSupplier.NO_CACHING),
                (joined, failure) -> {
                    if (failure == null) {
                        exchange.answer(new JoinGroupResponse(joined, version).data());
                    } else {
                        exchange.fail(failure);
                    }
                });
    }
}
