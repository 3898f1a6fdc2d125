package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.AuthorizedOperations;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Describes consumer-protocol groups (KIP-848). */
public final class ConsumerGroupDescribeHandler implements ApiHandler<ConsumerGroupDescribeRequestData> {

    private final Broker broker;

    public ConsumerGroupDescribeHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.CONSUMER_GROUP_DESCRIBE;
    }

    @Override
    public ConsumerGroupDescribeRequestData read(Readable body, short version) {
        return new ConsumerGroupDescribeRequestData(body, version);
    }

    @Override
    public void handle(ConsumerGroupDescribeRequestData request, Exchange exchange) {
        if (!broker.mayServe()) {
            exchange.fail(Errors.NOT_COORDINATOR.exception());
            return;
        }
        When.done(
                broker.groups().consumerGroupDescribe(GroupCaller.of(exchange), request.groupIds()),
                (groups, failure) -> {
                    if (failure != null) {
                        exchange.fail(failure);
                        return;
                    }
                    if (request.includeAuthorizedOperations()) {
                        groups.forEach(group -> {
                            if (group.errorCode() == Errors.NONE.code()) {
                                group.setAuthorizedOperations(AuthorizedOperations.GROUP);
                            }
                        });
                    }
                    exchange.answer(new ConsumerGroupDescribeResponseData().setGroups(groups));
                });
    }
}
