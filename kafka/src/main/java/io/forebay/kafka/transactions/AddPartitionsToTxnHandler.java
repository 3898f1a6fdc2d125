package io.forebay.kafka.transactions;

import io.forebay.broker.Broker;
import io.forebay.broker.partition.Verification;
import io.forebay.broker.transactions.TransactionDecision;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Gathering;
import io.forebay.kafka.api.Leaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResultCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Adds partitions to transactions, or tells whether they belong to one: of one producer, or from version 4 on of several, as brokers ask. */
public final class AddPartitionsToTxnHandler implements ApiHandler<AddPartitionsToTxnRequestData> {

    private static final int FIRST_OF_BROKERS = 4;
    private static final short VERSION_ONE = 1;
    private static final short VERSION_TWO = 2;

    private final Broker broker;

    public AddPartitionsToTxnHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ADD_PARTITIONS_TO_TXN;
    }

    @Override
    public AddPartitionsToTxnRequestData read(Readable body, short version) {
        return new AddPartitionsToTxnRequestData(body, version);
    }

    @Override
    public void handle(AddPartitionsToTxnRequestData request, Exchange exchange) {
        short version = exchange.version();
        if (version < FIRST_OF_BROKERS) {
            CompletableFuture<Map<TopicPartition, Errors>> added = add(
                    request.v3AndBelowTransactionalId(),
                    request.v3AndBelowProducerId(),
                    request.v3AndBelowProducerEpoch(),
                    request.v3AndBelowTopics(),
                    VERSION_ONE);
            exchange.answerWhen(added.thenApply(errors ->
                    new AddPartitionsToTxnResponseData().setResultsByTopicV3AndBelow(results(errors, version))));
            return;
        }
        List<CompletableFuture<AddPartitionsToTxnResult>> parts = new ArrayList<>();
        for (AddPartitionsToTxnTransaction one : request.transactions()) {
            CompletableFuture<Map<TopicPartition, Errors>> errors = one.verifyOnly()
                    ? verify(one)
                    : add(one.transactionalId(), one.producerId(), one.producerEpoch(), one.topics(), VERSION_TWO);
            parts.add(errors.thenApply(all -> new AddPartitionsToTxnResult()
                    .setTransactionalId(one.transactionalId())
                    .setTopicResults(results(all, version))));
        }
        Gathering.of(parts, failure -> new AddPartitionsToTxnResult(), results -> {
            AddPartitionsToTxnResponseData response = new AddPartitionsToTxnResponseData();
            results.forEach(result -> response.resultsByTransaction().add(result));
            exchange.answer(response);
        });
    }

    /** All or none. */
    private CompletableFuture<Map<TopicPartition, Errors>> add(
            String transactionalId,
            long producerId,
            short epoch,
            AddPartitionsToTxnTopicCollection topics,
            short version) {
        List<TopicPartition> wanted = partitions(topics);
        Map<TopicPartition, Errors> unknown = new HashMap<>();
        for (TopicPartition one : wanted) {
            if (!Leaders.exists(broker.image().topic(one.topic()), one.partition())) {
                unknown.put(one, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        if (!unknown.isEmpty()) {
            wanted.forEach(one -> unknown.putIfAbsent(one, Errors.OPERATION_NOT_ATTEMPTED));
            return CompletableFuture.completedFuture(unknown);
        }
        if (transactionalId == null || transactionalId.isEmpty()) {
            return CompletableFuture.completedFuture(all(wanted, Errors.INVALID_REQUEST));
        }
        return broker.transactions()
                .add(transactionalId, producerId, epoch, wanted, version)
                .handle((decision, failure) -> all(wanted, error(decision, failure)));
    }

    private static Errors error(TransactionDecision decision, Throwable failure) {
        return failure == null ? decision.error() : ErrorTable.of(failure);
    }

    private CompletableFuture<Map<TopicPartition, Errors>> verify(AddPartitionsToTxnTransaction asked) {
        Map<TopicPartition, CompletableFuture<Verification>> answers = new HashMap<>();
        for (TopicPartition one : partitions(asked.topics())) {
            answers.put(
                    one,
                    broker.transactions()
                            .verify(asked.transactionalId(), asked.producerId(), asked.producerEpoch(), one));
        }
        return CompletableFuture.allOf(answers.values().toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> {
                    Map<TopicPartition, Errors> errors = new HashMap<>();
                    answers.forEach(
                            (one, answer) -> errors.put(one, answer.join().error()));
                    return errors;
                });
    }

    private static Map<TopicPartition, Errors> all(List<TopicPartition> partitions, Errors error) {
        Map<TopicPartition, Errors> errors = new HashMap<>();
        partitions.forEach(one -> errors.put(one, error));
        return errors;
    }

    private static List<TopicPartition> partitions(AddPartitionsToTxnTopicCollection topics) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (AddPartitionsToTxnTopic topic : topics) {
            topic.partitions().forEach(index -> partitions.add(new TopicPartition(topic.name(), index)));
        }
        return partitions;
    }

    private static AddPartitionsToTxnTopicResultCollection results(Map<TopicPartition, Errors> errors, short version) {
        AddPartitionsToTxnTopicResultCollection topics = new AddPartitionsToTxnTopicResultCollection();
        errors.forEach((partition, error) -> {
            AddPartitionsToTxnTopicResult topic = topics.find(partition.topic());
            if (topic == null) {
                topic = new AddPartitionsToTxnTopicResult().setName(partition.topic());
                topics.add(topic);
            }
            topic.resultsByPartition()
                    .add(new AddPartitionsToTxnPartitionResult()
                            .setPartitionIndex(partition.partition())
                            .setPartitionErrorCode(
                                    TransactionErrors.forClient(error, version).code()));
        });
        return topics;
    }
}
