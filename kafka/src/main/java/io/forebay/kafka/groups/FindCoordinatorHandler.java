package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Leaders;
import io.forebay.model.When;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/**
 * Tells which node coordinates a group or a transactional id: the one that serves its partition of the internal topic.
 *
 * <p>Coordinators of share groups do not exist: clients get an error that they take as final and show with its
 * text. See {@code InitProducerIdHandler}.
 */
public final class FindCoordinatorHandler implements ApiHandler<FindCoordinatorRequestData> {

    private static final int FIRST_WITH_KEYS = 4;
    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;

    private final Broker broker;

    public FindCoordinatorHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.FIND_COORDINATOR;
    }

    @Override
    public FindCoordinatorRequestData read(Readable body, short version) {
        return new FindCoordinatorRequestData(body, version);
    }

    /** The first group, or transactional id, of a cluster creates the internal topic; the answer waits for it. */
    @Override
    public void handle(FindCoordinatorRequestData request, Exchange exchange) {
        Optional<String> topic = topicOf(request.keyType());
        if (topic.isEmpty() || broker.image().topic(topic.get()) != null) {
            answer(request, exchange);
            return;
        }
        Admin.TopicCreation internal = new Admin.TopicCreation(topic.get(), -1, (short) -1, 0, Map.of());
        When.done(
                broker.admin().createTopics(List.of(internal), false), (created, failure) -> answer(request, exchange));
    }

    private Optional<String> topicOf(byte type) {
        return switch (type) {
            case GROUP -> Optional.of(Topic.GROUP_METADATA_TOPIC_NAME);
            case TRANSACTION ->
                broker.transactions().isOffered() ? Optional.of(Topic.TRANSACTION_STATE_TOPIC_NAME) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private void answer(FindCoordinatorRequestData request, Exchange exchange) {
        FindCoordinatorResponseData response = new FindCoordinatorResponseData();
        if (exchange.version() >= FIRST_WITH_KEYS) {
            for (String key : request.coordinatorKeys()) {
                response.coordinators().add(find(request.keyType(), key));
            }
        } else {
            Coordinator found = find(request.keyType(), request.key());
            response.setErrorCode(found.errorCode())
                    .setErrorMessage(found.errorMessage())
                    .setNodeId(found.nodeId())
                    .setHost(found.host())
                    .setPort(found.port());
        }
        exchange.answer(response);
    }

    private Coordinator find(byte type, String key) {
        Optional<String> topic = topicOf(type);
        if (type == TRANSACTION && topic.isEmpty()) {
            return none(key, Errors.UNSUPPORTED_VERSION, "transactions are not offered by this broker");
        }
        if (topic.isEmpty()) {
            return none(key, Errors.INVALID_REQUEST, "there are no coordinators of type " + type);
        }
        int partition;
        try {
            partition = type == GROUP
                    ? broker.groups().partitionFor(key)
                    : broker.transactions().partitionFor(key);
        } catch (RuntimeException failure) {
            return none(key, ErrorTable.of(failure), "");
        }
        ClusterImage image = broker.image();
        Optional<NodeImage> node =
                Leaders.of(image, image.topic(topic.get()), partition).flatMap(Leaders.Leader::node);
        if (node.isEmpty()) {
            return none(key, Errors.COORDINATOR_NOT_AVAILABLE, "");
        }
        return new Coordinator()
                .setKey(key)
                .setNodeId(node.get().nodeId())
                .setHost(node.get().host())
                .setPort(node.get().port());
    }

    private static Coordinator none(String key, Errors error, String message) {
        return new Coordinator()
                .setKey(key)
                .setErrorCode(error.code())
                .setErrorMessage(ErrorTable.message(error, message))
                .setNodeId(-1)
                .setHost("")
                .setPort(-1);
    }
}
