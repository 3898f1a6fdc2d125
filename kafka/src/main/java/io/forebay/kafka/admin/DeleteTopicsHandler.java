package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin.DeletedTopic;
import io.forebay.broker.admin.Admin.TopicReference;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Deletes topics by name or id. */
public final class DeleteTopicsHandler implements ApiHandler<DeleteTopicsRequestData> {

    private static final int FIRST_WITH_IDS = 6;

    private final Broker broker;

    public DeleteTopicsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DELETE_TOPICS;
    }

    @Override
    public DeleteTopicsRequestData read(Readable body, short version) {
        return new DeleteTopicsRequestData(body, version);
    }

    @Override
    public void handle(DeleteTopicsRequestData request, Exchange exchange) {
        List<TopicReference> asked = new ArrayList<>();
        for (String name : request.topicNames()) {
            asked.add(new TopicReference(name, Ids.NONE));
        }
        for (DeleteTopicState topic : request.topics()) {
            boolean byId = !topic.topicId().equals(Uuid.ZERO_UUID);
            if (byId == (topic.name() != null)) {
                exchange.fail(Errors.INVALID_REQUEST.exception("a topic is named either by name or by id"));
                return;
            }
            asked.add(
                    byId
                            ? new TopicReference("", Ids.fromKafka(topic.topicId()))
                            : new TopicReference(topic.name(), Ids.NONE));
        }
        DeleteTopicsResponseData response = new DeleteTopicsResponseData();
        Set<TopicReference> once = new LinkedHashSet<>();
        Set<TopicReference> twice = new LinkedHashSet<>();
        for (TopicReference topic : asked) {
            if (!once.add(topic)) {
                twice.add(topic);
            }
        }
        once.removeAll(twice);
        for (TopicReference topic : twice) {
            response.responses()
                    .add(result(
                            new DeletedTopic(
                                    topic.name(),
                                    topic.id(),
                                    Errors.INVALID_REQUEST,
                                    "the request names this topic more than once"),
                            exchange.version()));
        }
        When.done(broker.admin().deleteTopics(List.copyOf(once)), (deleted, failure) -> {
            if (failure != null) {
                exchange.fail(failure);
                return;
            }
            deleted.forEach(topic -> response.responses().add(result(topic, exchange.version())));
            exchange.answer(response);
        });
    }

    private static DeletableTopicResult result(DeletedTopic topic, short version) {
        boolean nameless = topic.name().isEmpty() && version >= FIRST_WITH_IDS;
        return new DeletableTopicResult()
                .setName(nameless ? null : topic.name())
                .setTopicId(Ids.toKafka(topic.id()))
                .setErrorCode(topic.error().code())
                .setErrorMessage(ErrorTable.message(topic.error(), topic.message()));
    }
}
