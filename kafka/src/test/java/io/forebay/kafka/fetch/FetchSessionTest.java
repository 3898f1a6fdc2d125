package io.forebay.kafka.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.api.Ids;
import io.forebay.kafka.fake.FakeBroker;
import io.forebay.kafka.fake.Frames;
import io.forebay.kafka.fake.HandClock;
import io.forebay.kafka.net.EmbeddedClient;
import io.forebay.kafka.produce.ProduceHandler;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Incremental fetches as KIP-227 describes them, waiting, and what becomes of the pages. */
class FetchSessionTest {

    private static final int VERSION = 12;
    private static final int LIMIT = 2;

    private final FakeBroker broker = new FakeBroker();
    private final HandClock clock = new HandClock();
    private final FetchSessions sessions = new FetchSessions(LIMIT, clock, new Random(5));
    private final ApiTable apis = new ApiTable(List.of(
            new FetchHandler(broker, sessions, 1 << 20, new AnswerMemory(32 << 20, new HandClock())),
            new ProduceHandler(broker)));
    private final UUID id = broker.create("t", 4);
    private final EmbeddedClient client = EmbeddedClient.of(apis);
    private int lastId;

    private static FetchRequestData request(int session, int epoch, int... partitions) {
        FetchRequestData request = new FetchRequestData()
                .setReplicaId(-1)
                .setMaxBytes(1 << 20)
                .setSessionId(session)
                .setSessionEpoch(epoch);
        if (partitions.length > 0) {
            FetchTopic topic = new FetchTopic().setTopic("t");
            for (int partition : partitions) {
                topic.partitions()
                        .add(new FetchPartition().setPartition(partition).setPartitionMaxBytes(1 << 20));
            }
            request.topics().add(topic);
        }
        return request;
    }

    private FetchResponseData fetch(EmbeddedClient from, int version, FetchRequestData request) {
        from.send(ApiKeys.FETCH, version, ++lastId, request);
        return from.answer(ApiKeys.FETCH, version, lastId, new FetchResponseData());
    }

    private FetchResponseData fetch(FetchRequestData request) {
        return fetch(client, VERSION, request);
    }

    private void produce(int partitions) {
        client.send(ApiKeys.PRODUCE, 9, ++lastId, Frames.produce("t", partitions, 100, (short) -1));
        ProduceResponseData unused = client.answer(ApiKeys.PRODUCE, 9, lastId, new ProduceResponseData());
    }

    private static List<Integer> mentioned(FetchResponseData response) {
        return response.responses().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(PartitionData::partitionIndex)
                .toList();
    }

    @Test
    void mentionsAllPartitionsAtFirstAndThenOnlyThoseWithNews() {
        FetchResponseData full = fetch(request(0, 0, 0, 1, 2));
        assertThat(mentioned(full)).containsExactly(0, 1, 2);
        assertThat(full.sessionId()).isPositive();

        assertThat(mentioned(fetch(request(full.sessionId(), 1)))).isEmpty();
        produce(1);
        FetchResponseData news = fetch(request(full.sessionId(), 2));

        assertThat(mentioned(news)).containsExactly(0);
        assertThat(news.sessionId()).isEqualTo(full.sessionId());
        assertThat(news.responses().get(0).partitions().get(0).highWatermark()).isEqualTo(1);
        assertThat(broker.pagesInUse()).isZero();
    }

    @Test
    void addsChangesAndForgetsPartitions() {
        produce(4);
        int session = fetch(request(0, 0, 0, 1)).sessionId();
        FetchRequestData change = request(session, 1, 3);
        change.topics()
                .get(0)
                .partitions()
                .add(new FetchPartition().setPartition(0).setFetchOffset(1));
        change.forgottenTopicsData().add(new ForgottenTopic().setTopic("t").setPartitions(List.of(1)));

        FetchResponseData response = fetch(change);

        assertThat(broker.lastFetch())
                .extracting(PartitionFetch::index, PartitionFetch::fetchOffset)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(0, 1L), org.assertj.core.groups.Tuple.tuple(3, 0L));
        assertThat(mentioned(response)).containsExactly(3);
    }

    @Test
    void servesThoseThatGotNothingBeforeThoseThatGotRecords() {
        int session = fetch(request(0, 0, 0, 1, 2)).sessionId();
        produce(1);

        FetchResponseData unused = fetch(request(session, 1));
        FetchResponseData unusedToo = fetch(request(session, 2));

        assertThat(broker.lastFetch()).extracting(PartitionFetch::index).containsExactly(1, 2, 0);
    }

    @Test
    void refusesAnUnknownSessionAWrongEpochAndMixedNaming() {
        int session = fetch(request(0, 0, 0)).sessionId();

        assertThat(Errors.forCode(fetch(request(session + 1, 1)).errorCode()))
                .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(Errors.forCode(fetch(request(session, 2)).errorCode()))
                .isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
        FetchRequestData byId =
                new FetchRequestData().setReplicaId(-1).setSessionId(session).setSessionEpoch(1);
        assertThat(Errors.forCode(fetch(client, 13, byId).errorCode())).isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
        assertThat(Errors.forCode(fetch(request(session, 1)).errorCode())).isEqualTo(Errors.NONE);
    }

    @Test
    void endsASessionOnRequestAndWithItsConnection() {
        int session = fetch(request(0, 0, 0)).sessionId();
        FetchResponseData last = fetch(request(session, -1, 0));
        assertThat(last.sessionId()).isZero();
        assertThat(sessions.size()).isZero();

        int second = fetch(request(0, 0, 0)).sessionId();
        assertThat(second).isPositive();
        client.disconnect();

        assertThat(sessions.size()).isZero();
    }

    @Test
    void doesWithoutASessionWhenAllAreInUseUntilOneGoesStale() {
        EmbeddedClient second = EmbeddedClient.of(apis);
        EmbeddedClient third = EmbeddedClient.of(apis);
        int oldest = fetch(request(0, 0, 0)).sessionId();
        assertThat(fetch(second, VERSION, request(0, 0, 0)).sessionId()).isPositive();
        assertThat(fetch(third, VERSION, request(0, 0, 0)).sessionId()).isZero();

        clock.advance(FetchSessions.STALE_MS + 1);

        assertThat(fetch(third, VERSION, request(0, 0, 0)).sessionId()).isPositive();
        assertThat(sessions.size()).isEqualTo(LIMIT);
        assertThat(Errors.forCode(fetch(request(oldest, 1)).errorCode())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void tellsAgainAfterAnError() {
        int session = fetch(request(0, 0, 0)).sessionId();
        FetchRequestData beyond = request(session, 1, 0);
        beyond.topics().get(0).partitions().get(0).setFetchOffset(77);
        PartitionData failed = fetch(beyond).responses().get(0).partitions().get(0);
        assertThat(Errors.forCode(failed.errorCode())).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);

        FetchResponseData good = fetch(request(session, 2, 0));

        assertThat(mentioned(good)).containsExactly(0);
    }

    @Test
    void resolvesAnIdThatBecomesKnownLater() {
        FetchRequestData full =
                new FetchRequestData().setSessionEpoch(0).setReplicaId(-1).setMaxBytes(1 << 20);
        FetchTopic topic = new FetchTopic().setTopicId(Ids.toKafka(new UUID(11, 2)));
        topic.partitions().add(new FetchPartition().setPartition(0).setPartitionMaxBytes(100));
        full.topics().add(topic);
        FetchResponseData unknown = fetch(client, 13, full);
        assertThat(Errors.forCode(unknown.responses().get(0).partitions().get(0).errorCode()))
                .isEqualTo(Errors.UNKNOWN_TOPIC_ID);

        UUID later = broker.create("later", 1);
        assertThat(later).isEqualTo(new UUID(11, 2));
        FetchRequestData next = new FetchRequestData()
                .setReplicaId(-1)
                .setMaxBytes(1 << 20)
                .setSessionId(unknown.sessionId())
                .setSessionEpoch(1);

        PartitionData known =
                fetch(client, 13, next).responses().get(0).partitions().get(0);
        assertThat(Errors.forCode(known.errorCode())).isEqualTo(Errors.NONE);
        assertThat(id).isNotEqualTo(later);
    }

    @Test
    void waitsForRecordsAndLetsGoOfThePagesWhenTheAnswerHasLeft() {
        EmbeddedClient reader = EmbeddedClient.of(apis);
        FetchRequestData waiting = request(0, -1, 0, 1).setMinBytes(1).setMaxWaitMs(60_000);
        reader.send(ApiKeys.FETCH, VERSION, 900, waiting);
        assertThat(reader.answers()).isEmpty();
        assertThat(broker.waitingFetches()).isEqualTo(1);

        produce(1);

        FetchResponseData answer = reader.answer(ApiKeys.FETCH, VERSION, 900, new FetchResponseData());
        assertThat(answer.responses().get(0).partitions().get(0).records().sizeInBytes())
                .isPositive();
        assertThat(broker.pagesInUse()).isZero();
    }

    @Test
    void cancelsAWaitWhoseClientIsGone() {
        EmbeddedClient reader = EmbeddedClient.of(apis);
        reader.send(
                ApiKeys.FETCH, VERSION, 901, request(0, -1, 0).setMinBytes(1).setMaxWaitMs(60_000));

        reader.disconnect();

        assertThat(broker.cancelledFetches()).isEqualTo(1);
        assertThat(broker.waitingFetches()).isZero();
    }

    @Test
    void capsWhatAClientAsksFor() {
        FetchResponseData unused =
                fetch(request(0, -1, 0).setMaxBytes(Integer.MAX_VALUE).setMinBytes(0));

        assertThat(broker.lastLimits().maxBytes()).isEqualTo(1 << 20);
    }
}
