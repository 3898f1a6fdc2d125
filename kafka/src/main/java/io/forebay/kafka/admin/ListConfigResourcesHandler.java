package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/**
 * Names what has settings: topics and brokers. Of groups, client metrics and loggers Kafka names those that were given settings of their
 * own; none are kept here, so the question is answered and the list is empty.
 */
public final class ListConfigResourcesHandler implements ApiHandler<ListConfigResourcesRequestData> {

    private static final Set<ConfigResource.Type> KNOWN = EnumSet.complementOf(EnumSet.of(ConfigResource.Type.UNKNOWN));
    private static final Set<ConfigResource.Type> KNOWN_TO_VERSION_0 = EnumSet.of(ConfigResource.Type.CLIENT_METRICS);

    private final Broker broker;

    public ListConfigResourcesHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LIST_CONFIG_RESOURCES;
    }

    @Override
    public ListConfigResourcesRequestData read(Readable body, short version) {
        return new ListConfigResourcesRequestData(body, version);
    }

    @Override
    public void handle(ListConfigResourcesRequestData request, Exchange exchange) {
        Set<ConfigResource.Type> known = exchange.version() == 0 ? KNOWN_TO_VERSION_0 : KNOWN;
        Set<ConfigResource.Type> wanted = EnumSet.noneOf(ConfigResource.Type.class);
        request.resourceTypes().forEach(type -> wanted.add(ConfigResource.Type.forId(type)));
        ListConfigResourcesResponseData response = new ListConfigResourcesResponseData();
        if (!known.containsAll(wanted)) {
            exchange.answer(response.setErrorCode(Errors.UNSUPPORTED_VERSION.code()));
            return;
        }
        if (wanted.isEmpty()) {
            wanted.addAll(known);
        }
        ClusterImage image = broker.image();
        if (wanted.contains(ConfigResource.Type.TOPIC)) {
            image.topics().forEach(topic -> add(response, ConfigResource.Type.TOPIC, topic.name()));
        }
        if (wanted.contains(ConfigResource.Type.BROKER)) {
            image.brokers().forEach(node -> add(response, ConfigResource.Type.BROKER, Integer.toString(node.nodeId())));
        }
        exchange.answer(response);
    }

    private static void add(ListConfigResourcesResponseData response, ConfigResource.Type type, String name) {
        List<ListConfigResourcesResponseData.ConfigResource> resources = response.configResources();
        resources.add(new ListConfigResourcesResponseData.ConfigResource()
                .setResourceType(type.id())
                .setResourceName(name));
    }
}
