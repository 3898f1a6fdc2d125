package io.forebay.kafka.metadata;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.api.Exchange;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Tells a client which APIs and features are served: what is in the table of handlers, no more and no less. */
public final class ApiVersionsHandler implements ApiHandler<ApiVersionsRequestData> {

    private static final int FIRST_WITH_SOFTWARE = 3;
    /** Older clients fail on features whose lowest level is 0. */
    private static final int FIRST_WITH_LEVEL_ZERO = 4;

    private static final int FIRST_WITH_ADDRESSEE = 5;
    private static final Pattern SOFTWARE = Pattern.compile("[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?");

    /** Kafka's name of the feature "groups of the consumer protocol (KIP-848) are on". */
    private static final String GROUP_FEATURE = "group.version";

    private static final short GROUP_LEVEL = 1;

    /** Kafka's name of the feature "the epoch rises with each transaction (KIP-890)". */
    private static final String TRANSACTION_FEATURE = "transaction.version";

    private static final short TRANSACTION_LEVEL = 2;

    private final Broker broker;
    private final Supplier<ApiTable> apis;

    /** @param apis all that is served; asked for with each request, since this handler is part of it */
    public ApiVersionsHandler(Broker broker, Supplier<ApiTable> apis) {
        this.broker = broker;
        this.apis = apis;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.API_VERSIONS;
    }

    @Override
    public ApiVersionsRequestData read(Readable body, short version) {
        return new ApiVersionsRequestData(body, version);
    }

    @Override
    public void handle(ApiVersionsRequestData request, Exchange exchange) {
        short version = exchange.version();
        if (version >= FIRST_WITH_SOFTWARE) {
            if (!SOFTWARE.matcher(request.clientSoftwareName()).matches()
                    || !SOFTWARE.matcher(request.clientSoftwareVersion()).matches()) {
                exchange.answer(new ApiVersionsResponseData().setErrorCode(Errors.INVALID_REQUEST.code()));
                return;
            }
            exchange.context().connection().introduced(request.clientSoftwareName(), request.clientSoftwareVersion());
        }
        if (version >= FIRST_WITH_ADDRESSEE && isForAnother(request)) {
            exchange.answer(new ApiVersionsResponseData().setErrorCode(Errors.REBOOTSTRAP_REQUIRED.code()));
            return;
        }
        ApiVersionsResponseData response =
                new ApiVersionsResponseData().setApiKeys(apis.get().versions());
        addFeature(response, version, GROUP_FEATURE, GROUP_LEVEL);
        if (broker.transactions().isOffered()) {
            addFeature(response, version, TRANSACTION_FEATURE, TRANSACTION_LEVEL);
        }
        if (version >= FIRST_WITH_SOFTWARE) {
            response.setFinalizedFeaturesEpoch(broker.image().version());
        }
        exchange.answer(response);
    }

    private static void addFeature(ApiVersionsResponseData response, short version, String name, short level) {
        if (version >= FIRST_WITH_LEVEL_ZERO) {
            response.supportedFeatures()
                    .add(new SupportedFeatureKey()
                            .setName(name)
                            .setMinVersion((short) 0)
                            .setMaxVersion(level));
        }
        if (version >= FIRST_WITH_SOFTWARE) {
            response.finalizedFeatures()
                    .add(new FinalizedFeatureKey()
                            .setName(name)
                            .setMinVersionLevel(level)
                            .setMaxVersionLevel(level));
        }
    }

    // The client remembers another cluster or node at this address (KIP-1242).
    private boolean isForAnother(ApiVersionsRequestData request) {
        if (request.clusterId() == null || request.nodeId() < 0) {
            return false;
        }
        return !request.clusterId().equals(broker.image().clusterId()) || request.nodeId() != broker.nodeId();
    }
}
