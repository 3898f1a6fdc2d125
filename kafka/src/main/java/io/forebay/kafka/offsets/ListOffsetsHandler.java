package io.forebay.kafka.offsets;

import io.forebay.broker.Broker;
import io.forebay.broker.partition.ListedOffset;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Gathering;
import io.forebay.kafka.api.Leaders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.jspecify.annotations.Nullable;

/**
 * Finds offsets by time. All data is in one tier: "earliest local" is the earliest, and nothing is tiered or waits to be.
 */
public final class ListOffsetsHandler implements ApiHandler<ListOffsetsRequestData> {

    private static final byte READ_COMMITTED = 1;
    private static final int FIRST_WITH_EPOCHS = 4;

    private static final long LATEST = -1;
    private static final long EARLIEST = -2;
    private static final long MAX_TIMESTAMP = -3;
    private static final long EARLIEST_LOCAL = -4;
    private static final long LATEST_TIERED = -5;
    private static final long EARLIEST_PENDING_UPLOAD = -6;

    /** From which version on a special timestamp may be asked for. */
    private static final Map<Long, Integer> FIRST_VERSION = Map.of(
            LATEST, 1, EARLIEST, 1, MAX_TIMESTAMP, 7, EARLIEST_LOCAL, 8, LATEST_TIERED, 9, EARLIEST_PENDING_UPLOAD, 11);

    private static final ListedOffset NOTHING_TIERED = new ListedOffset(Errors.NONE, -1, -1, -1);

    private final Broker broker;

    public ListOffsetsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LIST_OFFSETS;
    }

    @Override
    public ListOffsetsRequestData read(Readable body, short version) {
        return new ListOffsetsRequestData(body, version);
    }

    private record Key(String topic, int index) {}

    @Override
    public void handle(ListOffsetsRequestData request, Exchange exchange) {
        Set<Key> duplicates = duplicates(request);
        boolean readCommitted = request.isolationLevel() == READ_COMMITTED;
        List<CompletableFuture<ListedOffset>> parts = new ArrayList<>();
        for (ListOffsetsTopic topic : request.topics()) {
            TopicImage known = broker.image().topic(topic.name());
            for (ListOffsetsPartition partition : topic.partitions()) {
                boolean twice = duplicates.contains(new Key(topic.name(), partition.partitionIndex()));
                parts.add(
                        twice
                                ? failed(Errors.INVALID_REQUEST)
                                : ask(known, partition, readCommitted, exchange.version()));
            }
        }
        Gathering.of(
                parts,
                failure -> new ListedOffset(ErrorTable.of(failure), -1, -1, -1),
                offsets -> exchange.answer(response(request, offsets, exchange.version())));
    }

    private static Set<Key> duplicates(ListOffsetsRequestData request) {
        Set<Key> seen = new HashSet<>();
        Set<Key> duplicates = new HashSet<>();
        for (ListOffsetsTopic topic : request.topics()) {
            for (ListOffsetsPartition partition : topic.partitions()) {
                Key key = new Key(topic.name(), partition.partitionIndex());
                if (!seen.add(key)) {
                    duplicates.add(key);
                }
            }
        }
        return duplicates;
    }

    private CompletableFuture<ListedOffset> ask(
            @Nullable TopicImage topic, ListOffsetsPartition partition, boolean readCommitted, short version) {
        if (topic == null || !Leaders.exists(topic, partition.partitionIndex())) {
            return failed(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        }
        long timestamp = partition.timestamp();
        if (timestamp < 0 && version < FIRST_VERSION.getOrDefault(timestamp, Integer.MAX_VALUE)) {
            return failed(Errors.UNSUPPORTED_VERSION);
        }
        if (timestamp == LATEST_TIERED || timestamp == EARLIEST_PENDING_UPLOAD) {
            return CompletableFuture.completedFuture(NOTHING_TIERED);
        }
        return broker.listOffset(
                topic.id(),
                partition.partitionIndex(),
                timestamp == EARLIEST_LOCAL ? EARLIEST : timestamp,
                readCommitted,
                partition.currentLeaderEpoch());
    }

    private static CompletableFuture<ListedOffset> failed(Errors error) {
        return CompletableFuture.completedFuture(new ListedOffset(error, -1, -1, -1));
    }

    private static ListOffsetsResponseData response(
            ListOffsetsRequestData request, List<ListedOffset> offsets, short version) {
        Iterator<ListedOffset> next = offsets.iterator();
        ListOffsetsResponseData response = new ListOffsetsResponseData();
        for (ListOffsetsTopic topic : request.topics()) {
            ListOffsetsTopicResponse answered = new ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsPartition partition : topic.partitions()) {
                ListedOffset found = next.next();
                answered.partitions()
                        .add(new ListOffsetsPartitionResponse()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(found.error().code())
                                .setTimestamp(found.timestampMs())
                                .setOffset(found.offset())
                                .setLeaderEpoch(version >= FIRST_WITH_EPOCHS ? found.leaderEpoch() : -1));
            }
            response.topics().add(answered);
        }
        return response;
    }
}
