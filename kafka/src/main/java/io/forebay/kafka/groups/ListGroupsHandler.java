package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;

/** Names the groups that this node coordinates. */
public final class ListGroupsHandler implements ApiHandler<ListGroupsRequestData> {

    private final Broker broker;

    public ListGroupsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LIST_GROUPS;
    }

    @Override
    public ListGroupsRequestData read(Readable body, short version) {
        return new ListGroupsRequestData(body, version);
    }

    @Override
    public void handle(ListGroupsRequestData request, Exchange exchange) {
        exchange.answerWhen(broker.groups().listGroups(GroupCaller.of(exchange), request));
    }
}
