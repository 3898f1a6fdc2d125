package io.forebay.kafka.fetch;

import io.forebay.broker.Broker;
import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import io.forebay.kafka.api.Leaders;
import io.forebay.kafka.api.RunRecords;
import io.forebay.log.partition.AbortedTransaction;
import io.forebay.model.ByteRun;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.NodeEndpoint;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the broker read into an answer. Holds the read pages until the answer has left.
 *
 * <p>Made, and {@link #send} runs, on the connection's loop; {@link #fetched} on any thread.
 */
final class FetchAnswer {

    /** Clients of Fetch up to this version don't know storage errors. */
    private static final int LAST_WITHOUT_STORAGE_ERROR = 5;

    private static final int FIRST_WITH_TOPIC_IDS = 13;
    private static final int FIRST_WITH_LEADERS = 16;

    private final Broker broker;
    private final Exchange exchange;
    private final AnswerMemory memory;
    private final List<WantedPartition> wanted;
    private final boolean[] asked;
    private final @Nullable FetchSession session;
    private final boolean everything;

    /**
     * @param asked element i: whether the broker was asked for wanted partition i
     * @param everything whether partitions without news are mentioned too
     */
    FetchAnswer(
            Broker broker,
            Exchange exchange,
            AnswerMemory memory,
            List<WantedPartition> wanted,
            boolean[] asked,
            @Nullable FetchSession session,
            boolean everything) {
        this.broker = broker;
        this.exchange = exchange;
        this.memory = memory;
        this.wanted = wanted;
        this.asked = asked;
        this.session = session;
        this.everything = everything;
    }

    /** Takes over the broker's results, one for each partition asked for, in order. Any thread. */
    void fetched(List<FetchedPartition> results) {
        exchange.context().connection().loop().run(() -> send(results));
    }

    /** Answers the client. On the connection's loop. */
    void send(List<FetchedPartition> results) {
        ClusterImage image = broker.image();
        FetchResponseData response = new FetchResponseData();
        if (session != null) {
            response.setSessionId(session.id());
        }
        int next = 0;
        for (int i = 0; i < wanted.size(); i++) {
            WantedPartition partition = wanted.get(i);
            FetchedPartition result =
                    asked[i] ? results.get(next++) : FetchedPartition.failed(partition.errorIfUnknown(image));
            boolean news = session == null || partition.isNews(result);
            if (news || everything) {
                topic(response, partition.key()).partitions().add(partition(response, image, partition, result));
            }
            if (session != null && result.records().sizeBytes() > 0) {
                session.served(partition);
            }
        }
        long bytes = bytesInMemory(results);
        if (bytes == 0) {
            exchange.answer(response, () -> release(results));
            return;
        }
        AnswerMemory.Held held = memory.hold(bytes, exchange.context().connection());
        exchange.answer(response, () -> {
            release(results);
            memory.letGo(held);
        });
    }

    private static long bytesInMemory(List<FetchedPartition> results) {
        long bytes = 0;
        for (int i = 0; i < results.size(); i++) {
            ByteRun records = results.get(i).records();
            bytes += records.inFile() ? 0 : records.sizeBytes();
        }
        return bytes;
    }

    private static void release(List<FetchedPartition> results) {
        for (int i = 0; i < results.size(); i++) {
            results.get(i).records().release();
        }
    }

    // Partitions of one topic that follow each other share an entry, as with Kafka.
    private FetchableTopicResponse topic(FetchResponseData response, WantedPartition.Key key) {
        List<FetchableTopicResponse> topics = response.responses();
        boolean byId = exchange.version() >= FIRST_WITH_TOPIC_IDS;
        if (!topics.isEmpty()) {
            FetchableTopicResponse last = topics.get(topics.size() - 1);
            if (byId ? isId(last, key) : last.topic().equals(key.name())) {
                return last;
            }
        }
        FetchableTopicResponse topic = new FetchableTopicResponse();
        if (byId) {
            topic.setTopicId(Ids.toKafka(key.id()));
        } else {
            topic.setTopic(key.name());
        }
        topics.add(topic);
        return topic;
    }

    private static boolean isId(FetchableTopicResponse topic, WantedPartition.Key key) {
        return topic.topicId().getMostSignificantBits() == key.id().getMostSignificantBits()
                && topic.topicId().getLeastSignificantBits() == key.id().getLeastSignificantBits();
    }

    private PartitionData partition(
            FetchResponseData response, ClusterImage image, WantedPartition wantedPartition, FetchedPartition result) {
        short version = exchange.version();
        Errors error = ErrorTable.storageError(result.error(), version, LAST_WITHOUT_STORAGE_ERROR);
        int index = wantedPartition.key().index();
        PartitionData partition = new PartitionData()
                .setPartitionIndex(index)
                .setErrorCode(error.code())
                .setHighWatermark(result.highWatermark())
                .setLastStableOffset(result.lastStableOffset())
                .setLogStartOffset(result.logStartOffset())
                .setPreferredReadReplica(result.reader())
                .setRecords(new RunRecords(result.records()));
        partition.setAbortedTransactions(aborted(result.aborted()));
        if (result.divergingEpoch() >= 0) {
            partition.divergingEpoch().setEpoch(result.divergingEpoch()).setEndOffset(result.divergingEndOffset());
        }
        if (version >= FIRST_WITH_LEADERS
                && (error == Errors.NOT_LEADER_OR_FOLLOWER || error == Errors.FENCED_LEADER_EPOCH)) {
            name(response, partition, image, wantedPartition.topic(image), index);
        }
        return partition;
    }

    private static void name(
            FetchResponseData response,
            PartitionData partition,
            ClusterImage image,
            @Nullable TopicImage topic,
            int index) {
        Leaders.of(image, topic, index).ifPresent(leader -> {
            partition.currentLeader().setLeaderId(leader.nodeId()).setLeaderEpoch(leader.epoch());
            if (response.nodeEndpoints().find(leader.nodeId()) == null) {
                leader.node()
                        .ifPresent(node -> response.nodeEndpoints()
                                .add(new NodeEndpoint()
                                        .setNodeId(node.nodeId())
                                        .setHost(node.host())
                                        .setPort(node.port())
                                        .setRack(node.rack().isEmpty() ? null : node.rack())));
            }
        });
    }

    // Null means that there is nothing to skip; clients of every version take it so.
    private static @Nullable List<FetchResponseData.AbortedTransaction> aborted(List<AbortedTransaction> ranges) {
        if (ranges.isEmpty()) {
            return null;
        }
        List<FetchResponseData.AbortedTransaction> aborted = new ArrayList<>(ranges.size());
        for (AbortedTransaction range : ranges) {
            aborted.add(new FetchResponseData.AbortedTransaction()
                    .setProducerId(range.producerId())
                    .setFirstOffset(range.firstOffset()));
        }
        return aborted;
    }
}
