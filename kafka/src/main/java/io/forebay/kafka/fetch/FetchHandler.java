package io.forebay.kafka.fetch;

import io.forebay.broker.Broker;
import io.forebay.broker.fetch.FetchCall;
import io.forebay.broker.fetch.FetchLimits;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Ids;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.jspecify.annotations.Nullable;

/** Reads from partitions, with or without a session, and waits for enough data as the client wishes. */
public final class FetchHandler implements ApiHandler<FetchRequestData> {

    private static final int FIRST_WITH_TOPIC_IDS = 13;
    private static final int NO_SESSION = 0;
    /** Session epoch of a request that wants a new session. */
    private static final int NEW_SESSION_EPOCH = 0;
    /** Session epoch of a request that wants none. */
    private static final int NO_SESSION_EPOCH = -1;

    private static final byte READ_COMMITTED = 1;

    private final Broker broker;
    private final FetchSessions sessions;
    private final int maxBytes;
    private final AnswerMemory memory;

    /** @param maxBytes most bytes in one answer */
    public FetchHandler(Broker broker, FetchSessions sessions, int maxBytes, AnswerMemory memory) {
        this.broker = broker;
        this.sessions = sessions;
        this.maxBytes = maxBytes;
        this.memory = memory;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.FETCH;
    }

    @Override
    public FetchRequestData read(Readable body, short version) {
        return new FetchRequestData(body, version);
    }

    @Override
    public void handle(FetchRequestData request, Exchange exchange) {
        if (request.sessionEpoch() == NEW_SESSION_EPOCH || request.sessionEpoch() == NO_SESSION_EPOCH) {
            full(request, exchange);
        } else {
            incremental(request, exchange);
        }
    }

    private void full(FetchRequestData request, Exchange exchange) {
        if (request.sessionId() != NO_SESSION) {
            FetchSession old =
                    sessions.find(request.sessionId(), exchange.context().connection());
            if (old != null) {
                sessions.end(old);
            }
        }
        boolean byId = exchange.version() >= FIRST_WITH_TOPIC_IDS;
        Map<WantedPartition.Key, WantedPartition> wanted = new LinkedHashMap<>();
        for (FetchTopic topic : request.topics()) {
            UUID id = byId ? Ids.fromKafka(topic.topicId()) : Ids.NONE;
            for (FetchPartition partition : topic.partitions()) {
                WantedPartition.Key key = key(byId, topic.topic(), id, partition.partition());
                wanted.put(key, new WantedPartition(key, partition));
            }
        }
        List<WantedPartition> partitions = List.copyOf(wanted.values());
        FetchSession session = null;
        if (request.sessionEpoch() == NEW_SESSION_EPOCH && !partitions.isEmpty()) {
            session = sessions.create(exchange.context().connection(), byId, partitions);
        }
        fetch(request, exchange, partitions, session, true);
    }

    private void incremental(FetchRequestData request, Exchange exchange) {
        boolean byId = exchange.version() >= FIRST_WITH_TOPIC_IDS;
        FetchSession session =
                sessions.find(request.sessionId(), exchange.context().connection());
        Errors error = session == null
                ? Errors.FETCH_SESSION_ID_NOT_FOUND
                : session.epoch() != request.sessionEpoch()
                        ? Errors.INVALID_FETCH_SESSION_EPOCH
                        : session.usesTopicIds() != byId ? Errors.FETCH_SESSION_TOPIC_ID_ERROR : Errors.NONE;
        if (session == null || error != Errors.NONE) {
            exchange.answer(new FetchResponseData().setErrorCode(error.code()));
            return;
        }
        update(session, request, byId);
        if (session.isEmpty()) {
            sessions.end(session);
            exchange.answer(new FetchResponseData());
            return;
        }
        session.nextEpoch(sessions.nowMs());
        fetch(request, exchange, session.inOrder(), session, false);
    }

    private static void update(FetchSession session, FetchRequestData request, boolean byId) {
        for (FetchTopic topic : request.topics()) {
            UUID id = byId ? Ids.fromKafka(topic.topicId()) : Ids.NONE;
            for (FetchPartition partition : topic.partitions()) {
                WantedPartition.Key key = key(byId, topic.topic(), id, partition.partition());
                WantedPartition known = session.partition(key);
                if (known == null) {
                    session.add(new WantedPartition(key, partition));
                } else {
                    known.want(partition);
                }
            }
        }
        for (ForgottenTopic topic : request.forgottenTopicsData()) {
            UUID id = byId ? Ids.fromKafka(topic.topicId()) : Ids.NONE;
            for (int index : topic.partitions()) {
                session.forget(key(byId, topic.topic(), id, index));
            }
        }
    }

    private static WantedPartition.Key key(boolean byId, String name, UUID id, int index) {
        return new WantedPartition.Key(byId ? "" : name, id, index);
    }

    private void fetch(
            FetchRequestData request,
            Exchange exchange,
            List<WantedPartition> wanted,
            @Nullable FetchSession session,
            boolean everything) {
        ClusterImage image = broker.image();
        String rack = request.rackId() == null ? "" : request.rackId();
        List<PartitionFetch> questions = new ArrayList<>(wanted.size());
        boolean[] asked = new boolean[wanted.size()];
        for (int i = 0; i < wanted.size(); i++) {
            PartitionFetch question = wanted.get(i).question(image, rack);
            if (question != null) {
                asked[i] = true;
                questions.add(question);
            }
        }
        FetchAnswer answer = new FetchAnswer(broker, exchange, memory, wanted, asked, session, everything);
        if (questions.isEmpty()) {
            answer.send(List.of());
            return;
        }
        int most = Math.min(request.maxBytes(), maxBytes);
        int mostInMemory = Math.min(most, memory.share());
        FetchLimits limits = new FetchLimits(
                Math.min(request.minBytes(), mostInMemory),
                most,
                mostInMemory,
                request.maxWaitMs(),
                request.isolationLevel() == READ_COMMITTED);
        FetchCall call = broker.fetch(questions, limits, answer::fetched);
        exchange.whenClientGone(call::cancel);
    }
}
