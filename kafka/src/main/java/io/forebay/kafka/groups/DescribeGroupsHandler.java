package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.AuthorizedOperations;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Describes classic groups. */
public final class DescribeGroupsHandler implements ApiHandler<DescribeGroupsRequestData> {

    private final Broker broker;

    public DescribeGroupsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_GROUPS;
    }

    @Override
    public DescribeGroupsRequestData read(Readable body, short version) {
        return new DescribeGroupsRequestData(body, version);
    }

    @Override
    public void handle(DescribeGroupsRequestData request, Exchange exchange) {
        if (!broker.mayServe()) {
            exchange.fail(Errors.NOT_COORDINATOR.exception());
            return;
        }
        When.done(broker.groups().describeGroups(GroupCaller.of(exchange), request.groups()), (groups, failure) -> {
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
            exchange.answer(new DescribeGroupsResponseData().setGroups(groups));
        });
    }
}
