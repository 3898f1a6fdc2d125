package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import java.util.List;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Deletes groups without members, with their offsets. */
public final class DeleteGroupsHandler implements ApiHandler<DeleteGroupsRequestData> {

    private final Broker broker;

    public DeleteGroupsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DELETE_GROUPS;
    }

    @Override
    public DeleteGroupsRequestData read(Readable body, short version) {
        return new DeleteGroupsRequestData(body, version);
    }

    @Override
    public void handle(DeleteGroupsRequestData request, Exchange exchange) {
        List<String> groups = request.groupsNames().stream().distinct().toList();
        When.done(
                broker.groups().deleteGroups(GroupCaller.of(exchange), groups, BufferSupplier.NO_CACHING),
                (results, failure) -> {
                    if (failure == null) {
                        exchange.answer(new DeleteGroupsResponseData().setResults(results));
                    } else {
                        exchange.fail(failure);
                    }
                });
    }
}
