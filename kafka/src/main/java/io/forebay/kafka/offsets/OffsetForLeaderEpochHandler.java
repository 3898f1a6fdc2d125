package io.forebay.kafka.offsets;

import io.forebay.broker.Broker;
import io.forebay.broker.partition.EpochEnd;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Gathering;
import io.forebay.kafka.api.Leaders;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.jspecify.annotations.Nullable;

/** Tells where epochs end, so that a client finds out whether what it has read still holds. */
public final class OffsetForLeaderEpochHandler implements ApiHandler<OffsetForLeaderEpochRequestData> {

    private final Broker broker;

    public OffsetForLeaderEpochHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_FOR_LEADER_EPOCH;
    }

    @Override
    public OffsetForLeaderEpochRequestData read(Readable body, short version) {
        return new OffsetForLeaderEpochRequestData(body, version);
    }

    @Override
    public void handle(OffsetForLeaderEpochRequestData request, Exchange exchange) {
        List<CompletableFuture<EpochEnd>> parts = new ArrayList<>();
        for (OffsetForLeaderTopic topic : request.topics()) {
            TopicImage known = broker.image().topic(topic.topic());
            for (OffsetForLeaderPartition partition : topic.partitions()) {
                parts.add(ask(known, partition));
            }
        }
        Gathering.of(
                parts,
                failure -> new EpochEnd(ErrorTable.of(failure), -1, -1),
                ends -> exchange.answer(response(request, ends)));
    }

    private CompletableFuture<EpochEnd> ask(@Nullable TopicImage topic, OffsetForLeaderPartition partition) {
        if (topic == null || !Leaders.exists(topic, partition.partition())) {
            return CompletableFuture.completedFuture(new EpochEnd(Errors.UNKNOWN_TOPIC_OR_PARTITION, -1, -1));
        }
        return broker.endOfEpoch(
                topic.id(), partition.partition(), partition.currentLeaderEpoch(), partition.leaderEpoch());
    }

    private static OffsetForLeaderEpochResponseData response(
            OffsetForLeaderEpochRequestData request, List<EpochEnd> ends) {
        Iterator<EpochEnd> next = ends.iterator();
        OffsetForLeaderEpochResponseData response = new OffsetForLeaderEpochResponseData();
        for (OffsetForLeaderTopic topic : request.topics()) {
            OffsetForLeaderTopicResult answered = new OffsetForLeaderTopicResult().setTopic(topic.topic());
            for (OffsetForLeaderPartition partition : topic.partitions()) {
                EpochEnd end = next.next();
                answered.partitions()
                        .add(new EpochEndOffset()
                                .setPartition(partition.partition())
                                .setErrorCode(end.error().code())
                                .setLeaderEpoch(end.leaderEpoch())
                                .setEndOffset(end.endOffset()));
            }
            response.topics().add(answered);
        }
        return response;
    }
}
