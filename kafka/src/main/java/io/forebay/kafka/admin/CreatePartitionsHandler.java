package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin.IncreasedTopic;
import io.forebay.broker.admin.Admin.PartitionIncrease;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Adds partitions to topics. A manual assignment is checked for its size and accepted as given: the store replicates. */
public final class CreatePartitionsHandler implements ApiHandler<CreatePartitionsRequestData> {

    private final Broker broker;

    public CreatePartitionsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.CREATE_PARTITIONS;
    }

    @Override
    public CreatePartitionsRequestData read(Readable body, short version) {
        return new CreatePartitionsRequestData(body, version);
    }

    @Override
    public void handle(CreatePartitionsRequestData request, Exchange exchange) {
        CreatePartitionsResponseData response = new CreatePartitionsResponseData();
        Set<String> seen = new HashSet<>();
        Set<String> twice = new HashSet<>();
        for (CreatePartitionsTopic topic : request.topics()) {
            if (!seen.add(topic.name()) && twice.add(topic.name())) {
                response.results()
                        .add(result(new IncreasedTopic(
                                topic.name(), Errors.INVALID_REQUEST, "the request names this topic more than once")));
            }
        }
        List<PartitionIncrease> increases = new ArrayList<>();
        for (CreatePartitionsTopic topic : request.topics()) {
            if (twice.contains(topic.name())) {
                continue;
            }
            if (isAssignedWrong(topic)) {
                response.results()
                        .add(result(new IncreasedTopic(
                                topic.name(),
                                Errors.INVALID_REPLICA_ASSIGNMENT,
                                "the assignment does not cover exactly the new partitions")));
            } else {
                increases.add(new PartitionIncrease(topic.name(), topic.count()));
            }
        }
        When.done(broker.admin().createPartitions(increases, request.validateOnly()), (increased, failure) -> {
            if (failure != null) {
                exchange.fail(failure);
                return;
            }
            increased.forEach(topic -> response.results().add(result(topic)));
            exchange.answer(response);
        });
    }

    private boolean isAssignedWrong(CreatePartitionsTopic topic) {
        TopicImage known = broker.image().topic(topic.name());
        return topic.assignments() != null
                && known != null
                && topic.count() > known.partitions().size()
                && topic.assignments().size()
                        != topic.count() - known.partitions().size();
    }

    private static CreatePartitionsTopicResult result(IncreasedTopic topic) {
        return new CreatePartitionsTopicResult()
                .setName(topic.name())
                .setErrorCode(topic.error().code())
                .setErrorMessage(ErrorTable.message(topic.error(), topic.message()));
    }
}
