package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin.ConfigChange;
import io.forebay.broker.admin.Admin.ConfigOperation;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Changes single settings of resources. */
public final class IncrementalAlterConfigsHandler implements ApiHandler<IncrementalAlterConfigsRequestData> {

    /** Operations by their number in the protocol. */
    private static final List<ConfigOperation> OPERATIONS =
            List.of(ConfigOperation.SET, ConfigOperation.DELETE, ConfigOperation.APPEND, ConfigOperation.SUBTRACT);

    private final Broker broker;

    public IncrementalAlterConfigsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public IncrementalAlterConfigsRequestData read(Readable body, short version) {
        return new IncrementalAlterConfigsRequestData(body, version);
    }

    @Override
    public void handle(IncrementalAlterConfigsRequestData request, Exchange exchange) {
        AlterationRequest alteration = new AlterationRequest(broker, false, request.validateOnly());
        for (AlterConfigsResource resource : request.resources()) {
            List<ConfigChange> changes = new ArrayList<>();
            for (AlterableConfig config : resource.configs()) {
                if (config.configOperation() < 0 || config.configOperation() >= OPERATIONS.size()) {
                    exchange.fail(Errors.INVALID_REQUEST.exception("unknown operation " + config.configOperation()));
                    return;
                }
                changes.add(new ConfigChange(config.name(), OPERATIONS.get(config.configOperation()), config.value()));
            }
            alteration.add(resource.resourceType(), resource.resourceName(), changes);
        }
        alteration.run(
                outcomes -> {
                    IncrementalAlterConfigsResponseData response = new IncrementalAlterConfigsResponseData();
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
