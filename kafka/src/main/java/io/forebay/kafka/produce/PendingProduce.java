package io.forebay.kafka.produce;

import io.forebay.broker.Broker;
import io.forebay.broker.partition.ProduceListener;
import io.forebay.broker.partition.ProduceResult;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import io.forebay.kafka.api.Leaders;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A produce request whose batches are on their way. Whoever completes the last one, on any thread, answers the client; if the request's
 * time is up before, its timer answers with what there is, and batches that end later find the client told.
 *
 * <p>A batch whose time is up is not taken back: it may still become durable, as with Kafka. It uses its memory until it was copied.
 */
final class PendingProduce {

    /** Clients of Produce up to this version don't know storage errors. */
    private static final int LAST_WITHOUT_STORAGE_ERROR = 3;

    /** {@link #left} of a request that was answered because its time was up: no count-down comes near zero. */
    private static final int TIMED_OUT = Integer.MIN_VALUE / 2;

    private final Broker broker;
    private final Exchange exchange;
    private final ProduceRequestData request;
    private final Batch[] batches;
    private final AtomicInteger left;

    PendingProduce(Broker broker, Exchange exchange, ProduceRequestData request, int count) {
        this.broker = broker;
        this.exchange = exchange;
        this.request = request;
        this.batches = new Batch[count];
        // One more for the handler, which still reads the request.
        this.left = new AtomicInteger(count + 1);
    }

    Batch batch(int number) {
        Batch batch = new Batch();
        batches[number] = batch;
        return batch;
    }

    /**
     * All batches have been handed over. From now on the time runs that the client grants; none (0 or less) means no limit here, because
     * what Kafka acknowledges within no time is its page cache, and there is no such acknowledgement here.
     */
    void started() {
        countDown();
        if (request.acks() != 0 && request.timeoutMs() > 0 && left.get() > 0) {
            exchange.whenTimeIsUp(request.timeoutMs(), this::timeIsUp);
        }
    }

    private void timeIsUp() {
        if (left.getAndSet(TIMED_OUT) > 0) {
            exchange.answer(response());
        }
    }

    /** One batch of the request. */
    final class Batch implements ProduceListener {
        private volatile @Nullable ProduceResult result;

        /** The broker never sees this batch. */
        void refuse(ProduceResult refusal) {
            copied();
            done(refusal);
        }

        @Override
        public void copied() {
            exchange.releaseMemory();
        }

        @Override
        public void done(ProduceResult outcome) {
            result = outcome;
            countDown();
        }
    }

    private void countDown() {
        if (left.decrementAndGet() != 0) {
            return;
        }
        if (request.acks() != 0) {
            exchange.answer(response());
            return;
        }
        Errors error = firstError();
        if (error == Errors.NONE) {
            exchange.answerNothing();
        } else {
            exchange.close("a produce request with acks=0 failed with " + error);
        }
    }

    private Errors firstError() {
        for (Batch batch : batches) {
            ProduceResult result = batch.result;
            if (result != null && result.error() != Errors.NONE) {
                return result.error();
            }
        }
        return Errors.NONE;
    }

    private ProduceResponseData response() {
        ProduceResponseData response = new ProduceResponseData();
        int next = 0;
        for (TopicProduceData topic : request.topicData()) {
            TopicProduceResponse answered =
                    new TopicProduceResponse().setName(topic.name()).setTopicId(topic.topicId());
            List<PartitionProduceData> partitions = topic.partitionData();
            for (int i = 0; i < partitions.size(); i++) {
                ProduceResult result = batches[next++].result;
                if (result == null) {
                    result = timedOut();
                }
                answered.partitionResponses()
                        .add(partition(response, topic, partitions.get(i).index(), result));
            }
            response.responses().add(answered);
        }
        return response;
    }

    private ProduceResult timedOut() {
        return ProduceResult.failed(
                Errors.REQUEST_TIMED_OUT,
                "the batch was not known to be durable within " + request.timeoutMs() + " ms; it may still become so");
    }

    private PartitionProduceResponse partition(
            ProduceResponseData response, TopicProduceData topic, int index, ProduceResult result) {
        short version = exchange.version();
        Errors error = ErrorTable.storageError(result.error(), version, LAST_WITHOUT_STORAGE_ERROR);
        PartitionProduceResponse partition = new PartitionProduceResponse()
                .setIndex(index)
                .setErrorCode(error.code())
                .setBaseOffset(result.baseOffset())
                .setLogAppendTimeMs(result.logAppendTimeMs())
                .setLogStartOffset(result.logStartOffset());
        if (error == Errors.NONE) {
            return partition;
        }
        if (!result.message().isEmpty()) {
            partition.setErrorMessage(result.message());
        }
        if (error == Errors.NOT_LEADER_OR_FOLLOWER && version >= 10) {
            TopicImage known = version >= 13
                    ? broker.image().topic(Ids.fromKafka(topic.topicId()))
                    : broker.image().topic(topic.name());
            Leaders.of(broker.image(), known, index).ifPresent(leader -> {
                partition.currentLeader().setLeaderId(leader.nodeId()).setLeaderEpoch(leader.epoch());
                if (response.nodeEndpoints().find(leader.nodeId()) == null) {
                    leader.node()
                            .ifPresent(node -> response.nodeEndpoints()
                                    .add(new ProduceResponseData.NodeEndpoint()
                                            .setNodeId(node.nodeId())
                                            .setHost(node.host())
                                            .setPort(node.port())
                                            .setRack(node.rack().isEmpty() ? null : node.rack())));
                }
            });
        }
        return partition;
    }
}
