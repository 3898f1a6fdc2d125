package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin.ConfigChange;
import io.forebay.broker.admin.Admin.ConfigOperation;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;

/** Replaces the settings of resources: what isn't named falls back to its default. */
public final class AlterConfigsHandler implements ApiHandler<AlterConfigsRequestData> {

    private final Broker broker;

    public AlterConfigsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ALTER_CONFIGS;
    }

    @Override
    public AlterConfigsRequestData read(Readable body, short version) {
        return new AlterConfigsRequestData(body, version);
    }

    @Override
    public void handle(AlterConfigsRequestData request, Exchange exchange) {
        AlterationRequest alteration = new AlterationRequest(broker, true, request.validateOnly());
        for (AlterConfigsResource resource : request.resources()) {
            List<ConfigChange> changes = new ArrayList<>();
            resource.configs()
                    .forEach(config ->
                            changes.add(new ConfigChange(config.name(), ConfigOperation.SET, config.value())));
            alteration.add(resource.resourceType(), resource.resourceName(), changes);
        }
        alteration.run(
                outcomes -> {
                    AlterConfigsResponseData response = new AlterConfigsResponseData();
                    outcomes.forEach(outcome -> response.responses()
                            .add(new AlterConfigsResourceResponse()
                                    .setErrorCode(outcome.error().code())
                                    .setErrorMessage(ErrorTable.message(outcome.error(), outcome.message()))
                                    .setResourceType(outcome.type())
                                    .setResourceName(outcome.name())));
                    exchange.answer(response);
                },
                exchange::fail);
    }
}
