package io.forebay.broker.transactions;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogKey;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogValue;
import org.jspecify.annotations.Nullable;

/** Records of {@code __transaction_state}: Kafka's own schemas, so that its tools can read them. Nothing of a client is stored but its id. */
final class TransactionRecordCodec {

    /** The first value version with tagged fields, which hold the client's version and the other producer ids. */
    private static final short VALUE_VERSION = 1;

    private TransactionRecordCodec() {}

    static byte[] key(String transactionalId) {
        return MessageUtil.toVersionPrefixedBytes(
                TransactionLogKey.HIGHEST_SUPPORTED_VERSION,
                new TransactionLogKey().setTransactionalId(transactionalId));
    }

    static byte[] value(TransactionState state) {
        Map<String, List<Integer>> byTopic = new TreeMap<>();
        for (TopicPartition partition : state.partitions()) {
            byTopic.computeIfAbsent(partition.topic(), topic -> new ArrayList<>())
                    .add(partition.partition());
        }
        List<TransactionLogValue.PartitionsSchema> topics = new ArrayList<>();
        byTopic.forEach((topic, ids) -> topics.add(new TransactionLogValue.PartitionsSchema()
                .setTopic(topic)
                .setPartitionIds(ids.stream().sorted().toList())));
        return MessageUtil.toVersionPrefixedBytes(
                VALUE_VERSION,
                new TransactionLogValue()
                        .setProducerId(state.producerId())
                        .setPreviousProducerId(state.previousProducerId())
                        .setNextProducerId(state.nextProducerId())
                        .setProducerEpoch(state.epoch())
                        .setTransactionTimeoutMs(state.timeoutMs())
                        .setTransactionStatus(state.status().code())
                        .setTransactionPartitions(topics)
                        .setTransactionLastUpdateTimestampMs(state.updateMs())
                        .setTransactionStartTimestampMs(state.startMs())
                        .setClientTransactionVersion(state.version()));
    }

    /** The transactional id of a record; empty if its key is of a version that this build does not know. */
    static Optional<String> id(ByteBuffer key) {
        short version = key.getShort(key.position());
        if (version < TransactionLogKey.LOWEST_SUPPORTED_VERSION
                || version > TransactionLogKey.HIGHEST_SUPPORTED_VERSION) {
            return Optional.empty();
        }
        ByteBuffer body = key.duplicate();
        body.position(key.position() + Short.BYTES);
        return Optional.of(new TransactionLogKey(new ByteBufferAccessor(body), version).transactionalId());
    }

    /**
     * The state that a record says; empty: the id was forgotten.
     *
     * @throws IllegalStateException if this build cannot know what the record says: a coordinator without it would decide wrongly
     */
    static Optional<TransactionState> state(String transactionalId, @Nullable ByteBuffer value) {
        if (value == null) {
            return Optional.empty();
        }
        short version = value.getShort(value.position());
        if (version < TransactionLogValue.LOWEST_SUPPORTED_VERSION
                || version > TransactionLogValue.HIGHEST_SUPPORTED_VERSION) {
            throw new IllegalStateException("a transaction record has version " + version);
        }
        ByteBuffer body = value.duplicate();
        body.position(value.position() + Short.BYTES);
        TransactionLogValue read = new TransactionLogValue(new ByteBufferAccessor(body), version);
        Set<TopicPartition> partitions = new HashSet<>();
        if (read.transactionPartitions() != null) {
            read.transactionPartitions()
                    .forEach(topic -> topic.partitionIds()
                            .forEach(index -> partitions.add(new TopicPartition(topic.topic(), index))));
        }
        TransactionStatus status = TransactionStatus.of(read.transactionStatus())
                .orElseThrow(
                        () -> new IllegalStateException("a transaction record has status " + read.transactionStatus()));
        return Optional.of(new TransactionState(
                transactionalId,
                read.producerId(),
                read.previousProducerId(),
                read.nextProducerId(),
                read.producerEpoch(),
                TransactionState.NO_EPOCH,
                read.transactionTimeoutMs(),
                status,
                partitions,
                read.transactionStartTimestampMs(),
                read.transactionLastUpdateTimestampMs(),
                read.clientTransactionVersion()));
    }
}
