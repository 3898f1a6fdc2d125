package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin.ConfigEntry;
import io.forebay.broker.admin.Admin.DescribedConfigs;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Tells effective settings, with where they come from. */
public final class DescribeConfigsHandler implements ApiHandler<DescribeConfigsRequestData> {

    private final Broker broker;

    public DescribeConfigsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_CONFIGS;
    }

    @Override
    public DescribeConfigsRequestData read(Readable body, short version) {
        return new DescribeConfigsRequestData(body, version);
    }

    @Override
    public void handle(DescribeConfigsRequestData request, Exchange exchange) {
        DescribeConfigsResponseData response = new DescribeConfigsResponseData();
        for (DescribeConfigsResource asked : request.resources()) {
            response.results().add(describe(request, asked));
        }
        exchange.answer(response);
    }

    private DescribeConfigsResult describe(DescribeConfigsRequestData request, DescribeConfigsResource asked) {
        ConfigResource.Type type = ConfigResource.Type.forId(asked.resourceType());
        DescribeConfigsResult result = new DescribeConfigsResult()
                .setResourceType(asked.resourceType())
                .setResourceName(asked.resourceName());
        if (type == ConfigResource.Type.UNKNOWN) {
            return result.setErrorCode(Errors.INVALID_REQUEST.code())
                    .setErrorMessage("unknown resource type " + asked.resourceType());
        }
        List<String> names = asked.configurationKeys();
        DescribedConfigs described = broker.admin()
                .describeConfigs(
                        new ConfigResource(type, asked.resourceName()),
                        names == null || names.isEmpty() ? null : names);
        result.setErrorCode(described.error().code())
                .setErrorMessage(ErrorTable.message(described.error(), described.message()));
        for (ConfigEntry entry : described.entries()) {
            result.configs().add(entry(request, entry));
        }
        return result;
    }

    private static DescribeConfigsResourceResult entry(DescribeConfigsRequestData request, ConfigEntry entry) {
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
        if (request.includeSynonyms()) {
            entry.synonyms()
                    .forEach(synonym -> synonyms.add(new DescribeConfigsSynonym()
                            .setName(synonym.name())
                            .setValue(entry.sensitive() ? null : synonym.value())
                            .setSource(synonym.source().id())));
        }
        return new DescribeConfigsResourceResult()
                .setName(entry.name())
                .setValue(entry.sensitive() ? null : entry.value())
                .setReadOnly(entry.readOnly())
                .setConfigSource(entry.source().id())
                .setIsSensitive(entry.sensitive())
                .setSynonyms(synonyms)
                .setConfigType(entry.type().id())
                .setDocumentation(request.includeDocumentation() ? entry.documentation() : null);
    }
}
