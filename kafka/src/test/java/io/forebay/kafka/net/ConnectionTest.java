package io.forebay.kafka.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.fake.FakeBroker;
import io.forebay.kafka.fake.Frames;
import io.forebay.kafka.produce.ProduceHandler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Order, limits and bad input on one connection. */
class ConnectionTest {

    private static final int REQUEST_MAX = 1 << 20;
    private static final ConnectionConfig CONFIG = new ConnectionConfig(REQUEST_MAX, 8, 60_000, 32 * 1024, 64 * 1024);
    private static final short VERSION = 9;

    private final FakeBroker broker = new FakeBroker();
    private final FakeApi slow = new FakeApi();
    private final Admission admission = new Admission(256 * 1024);
    private final ApiTable apis = new ApiTable(List.of(
            new ProduceHandler(broker),
            slow,
            new io.forebay.kafka.metadata.ApiVersionsHandler(broker, () -> new ApiTable(List.of()))));
    private final EmbeddedClient client = connect();

    ConnectionTest() {
        broker.create("t", 4);
    }

    private EmbeddedClient connect() {
        return new EmbeddedClient(apis, admission, CONFIG);
    }

    private static ByteBuffer produce(int id, int partitions, int recordBytes) {
        return Frames.of(ApiKeys.PRODUCE, VERSION, id, Frames.produce("t", partitions, recordBytes, (short) -1));
    }

    private static ByteBuffer metadata(int id) {
        return Frames.of(ApiKeys.METADATA, VERSION, id, new MetadataRequestData());
    }

    private static ByteBuffer together(ByteBuffer... frames) {
        int size = 0;
        for (ByteBuffer frame : frames) {
            size += frame.remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(size);
        for (ByteBuffer frame : frames) {
            all.put(frame);
        }
        return all.flip();
    }

    @Test
    void answersInTheOrderOfRequestsWhateverFinishesFirst() {
        broker.holdProduces();
        client.receive(together(produce(1, 1, 10), produce(2, 1, 10), produce(3, 1, 10)));
        assertThat(broker.held()).isEqualTo(3);

        assertThat(broker.releaseLast()).isTrue();
        assertThat(client.answeredIds()).isEmpty();
        assertThat(broker.releaseOne()).isTrue();
        assertThat(client.answeredIds()).containsExactly(1);
        assertThat(broker.releaseOne()).isTrue();

        assertThat(client.answeredIds()).containsExactly(2, 3);
    }

    @Test
    void startsNothingBehindARequestThatIsNotPipelined() {
        client.receive(together(metadata(1), produce(2, 1, 10), metadata(3)));
        assertThat(slow.exchanges).hasSize(1);
        assertThat(broker.produced()).isZero();

        slow.answer(0);

        assertThat(client.answeredIds()).containsExactly(1, 2);
        assertThat(slow.exchanges).hasSize(2);
        slow.answer(1);
        assertThat(client.answeredIds()).containsExactly(3);
    }

    @Test
    void startsARequestThatIsNotPipelinedOnlyWhenAllBeforeItAreAnswered() {
        broker.holdProduces();
        client.receive(together(produce(1, 1, 10), produce(2, 1, 10), metadata(3)));
        assertThat(broker.releaseOne()).isTrue();
        assertThat(slow.exchanges).isEmpty();

        assertThat(broker.releaseOne()).isTrue();

        assertThat(slow.exchanges).hasSize(1);
    }

    @Test
    void keepsRecordsWholeHoweverTheBytesAreCut() {
        Random random = new Random(20_26);
        ByteBuffer all = together(
                produce(1, 1, 3), produce(2, 4, 9_000), produce(3, 1, 8_000), produce(4, 2, 20_000), metadata(5));
        while (all.hasRemaining()) {
            int length = Math.min(all.remaining(), 1 + random.nextInt(5_000));
            ByteBuffer piece = all.slice(all.position(), length);
            assertThat(client.receive(piece)).isEqualTo(length);
            all.position(all.position() + length);
        }
        slow.answer(0);

        List<ByteBuffer> answers = client.answers();
        assertThat(answers).hasSize(5);
        for (int i = 0; i < 4; i++) {
            ProduceResponseData answer =
                    Frames.answer(ApiKeys.PRODUCE, VERSION, i + 1, answers.get(i), new ProduceResponseData());
            answer.responses()
                    .forEach(topic -> topic.partitionResponses()
                            .forEach(partition ->
                                    assertThat(partition.errorCode()).isEqualTo(Errors.NONE.code())));
        }
        assertThat(admission.usedBytes()).isZero();
    }

    @Test
    void closesOnALengthThatMakesNoSense() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, REQUEST_MAX + 1, 0x47455420}) {
            EmbeddedClient garbage = connect();

            garbage.receive(ByteBuffer.allocate(12).putInt(0, length));

            assertThat(garbage.isOpen()).isFalse();
        }
    }

    @Test
    void closesOnRandomGarbage() {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[200];
            random.nextBytes(bytes);
            ByteBuffer frame = ByteBuffer.wrap(bytes).putInt(0, 100);
            EmbeddedClient garbage = connect();

            garbage.receive(frame);

            assertThat(garbage.answers()).isEmpty();
            garbage.disconnect();
        }
        assertThat(admission.usedBytes()).isZero();
    }

    @Test
    void closesOnAnApiOrVersionThatIsNotServed() {
        EmbeddedClient unknownApi = connect();
        unknownApi.send(ApiKeys.FETCH, 12, 1, ApiKeys.FETCH.messageType.newRequest());
        assertThat(unknownApi.isOpen()).isFalse();

        EmbeddedClient unknownVersion = connect();
        unknownVersion.receive(metadata(1).putShort(6, (short) 99));
        assertThat(unknownVersion.isOpen()).isFalse();
    }

    @Test
    void tellsItsVersionsToAClientOfTheFuture() {
        ByteBuffer frame = Frames.of(
                ApiKeys.API_VERSIONS,
                (short) 4,
                5,
                new ApiVersionsRequestData().setClientSoftwareName("a").setClientSoftwareVersion("1"));
        client.receive(frame.putShort(6, (short) 77));

        ApiVersionsResponseData told = client.answer(ApiKeys.API_VERSIONS, 0, 5, new ApiVersionsResponseData());

        assertThat(told.errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(told.apiKeys().find(ApiKeys.API_VERSIONS.id).maxVersion()).isEqualTo((short) 5);
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    void answersAFailureOfAHandlerAsTheProtocolWantsIt() {
        slow.failing = true;

        client.receive(metadata(4));

        MetadataResponseData answer = client.answer(ApiKeys.METADATA, VERSION, 4, new MetadataResponseData());
        assertThat(answer.topics()).isEmpty();
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    void limitsTheRequestsUnderWay() {
        broker.holdProduces();
        ByteBuffer[] frames = new ByteBuffer[20];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = produce(i, 1, 10);
        }
        client.receive(together(frames));
        assertThat(broker.held()).isEqualTo(CONFIG.pipelinedRequestsMax());

        for (int i = 0; i < frames.length; i++) {
            assertThat(broker.releaseOne()).isTrue();
        }

        assertThat(client.answeredIds()).hasSize(20).isSorted();
    }

    @Test
    void stopsReadingWhileTheBytesInFlightAreUsedUpAndGoesOnInTheOrderOfWaiting() {
        broker.holdProduces();
        EmbeddedClient second = connect();
        EmbeddedClient third = connect();
        ByteBuffer most = produce(1, 1, 200_000);
        ByteBuffer waiting = produce(2, 1, 100_000);
        ByteBuffer small = produce(3, 1, 70_000);
        client.receive(most);

        second.receive(waiting);
        third.receive(small);

        assertThat(second.isReading()).isFalse();
        assertThat(third.isReading()).isFalse(); // it would fit, but others wait longer
        assertThat(waiting.remaining()).isGreaterThan(90_000);

        assertThat(broker.releaseOne()).isTrue();
        second.run();
        third.run();
        second.receive(waiting);
        third.receive(small);
        assertThat(broker.held()).isEqualTo(2);
        assertThat(broker.releaseOne()).isTrue();
        assertThat(broker.releaseOne()).isTrue();
        assertThat(second.answeredIds()).containsExactly(2);
        assertThat(third.answeredIds()).containsExactly(3);
        assertThat(client.answeredIds()).containsExactly(1);
        assertThat(admission.usedBytes()).isZero();
    }

    @Test
    void admitsARequestLargerThanTheLimitWhenItIsAlone() {
        client.receive(produce(1, 1, 700_000));

        assertThat(client.answeredIds()).containsExactly(1);
        assertThat(admission.usedBytes()).isZero();
    }

    @Test
    void givesBackWhatALostConnectionHeldOrWaitedFor() {
        broker.holdProduces();
        EmbeddedClient waiting = connect();
        EmbeddedClient half = connect();
        half.receive(produce(9, 1, 100_000).limit(50_000));
        client.receive(produce(1, 1, 150_000));
        waiting.receive(produce(2, 1, 150_000));

        waiting.disconnect();
        half.disconnect();
        client.disconnect();

        assertThat(admission.usedBytes()).isBetween(150_000L, 160_000L); // what the broker still has to copy
        assertThat(broker.releaseOne()).isTrue(); // an acknowledgement for nobody
        assertThat(admission.usedBytes()).isZero();
        assertThat(client.answers()).isEmpty();
    }

    @Test
    void closesAConnectionThatIsIdleForTooLong() {
        client.pass(50_000);
        client.receive(metadata(1));
        slow.answer(0);
        assertThat(client.answeredIds()).containsExactly(1);
        client.pass(50_000);
        assertThat(client.isOpen()).isTrue();

        client.pass(20_000);

        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void closesARequestThatStallsWhileOthersWaitForItsBytes() {
        EmbeddedClient stalled = connect();
        stalled.receive(produce(9, 1, 200_000).limit(50_000));
        stalled.pass(40_000);
        assertThat(stalled.isOpen()).isTrue(); // slow, but nobody minds
        ByteBuffer waiting = produce(1, 1, 150_000);
        client.receive(waiting);

        stalled.pass(1_000);
        stalled.pass(20_000);

        assertThat(stalled.isOpen()).isFalse();
        client.run();
        client.receive(waiting);
        assertThat(client.answeredIds()).containsExactly(1);
    }

    @Test
    void closesARequestThatDripsWhileOthersWaitForItsBytes() {
        EmbeddedClient dripping = connect();
        ByteBuffer request = produce(9, 1, 200_000);
        dripping.receive(request.duplicate().limit(50_000));
        ByteBuffer waiting = produce(1, 1, 150_000);
        client.receive(waiting);

        for (int sent = 50_000; sent < 50_020; sent++) {
            dripping.receive(request.duplicate().position(sent).limit(sent + 1));
            dripping.pass(1_000);
        }

        assertThat(dripping.isOpen()).isFalse();
        client.run();
        client.receive(waiting);
        assertThat(client.answeredIds()).containsExactly(1);
    }

    @Test
    void leavesASlowRequestThatComesInWhileOthersWait() {
        EmbeddedClient steady = connect();
        ByteBuffer request = produce(9, 1, 200_000);
        steady.receive(request.duplicate().limit(50_000));
        client.receive(produce(1, 1, 150_000));

        for (int sent = 50_000; sent < 110_000; sent += 3_000) {
            steady.receive(request.duplicate().position(sent).limit(sent + 3_000));
            steady.pass(1_000);
        }

        assertThat(steady.isOpen()).isTrue();
    }

    @Test
    void startsNothingWhileTheClientDoesNotTakeItsAnswers() {
        client.receive(together(metadata(1), metadata(2)));
        client.channel().unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        slow.answer(0, 10);
        assertThat(slow.exchanges).hasSize(1);

        client.channel().unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        client.run();

        assertThat(slow.exchanges).hasSize(2);
    }

    @Test
    void sendsTheRestOfAnAnswerBeforeItStartsWhatIsBehind() {
        client.receive(together(metadata(1), metadata(2)));
        client.channel().unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        slow.answer(0, 10);
        assertThat(client.answeredIds()).as("the client takes nothing").isEmpty();

        client.channel().unsafe().outboundBuffer().setUserDefinedWritability(1, true);

        assertThat(client.answeredIds()).containsExactly(1);
        assertThat(slow.exchanges).hasSize(2);
        slow.answer(1, 10);
        assertThat(client.answeredIds()).containsExactly(2);
    }

    @Test
    void tellsTheHandlerWhenTheClientGoes() {
        client.receive(metadata(1));

        client.disconnect();
        slow.answer(0);

        assertThat(slow.gone).isEqualTo(1);
    }

    @Test
    void answersWhatWasAskedBeforeTheClientStoppedSending() {
        broker.holdProduces();
        client.receive(together(produce(1, 1, 10), produce(2, 1, 10)));
        client.endInput();
        assertThat(client.isOpen()).isTrue();

        assertThat(broker.releaseOne()).isTrue();
        assertThat(client.isOpen()).isTrue();
        assertThat(broker.releaseOne()).isTrue();

        assertThat(client.answeredIds()).containsExactly(1, 2);
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void givesUpWaitingForAClientThatStoppedSending() {
        client.receive(metadata(1));

        client.endInput();

        assertThat(client.isOpen()).isFalse();
        assertThat(slow.gone).isEqualTo(1);
    }

    @Test
    void doesNotAnswerAcksZeroButClosesOnItsErrors() {
        ApiMessage good = Frames.produce("t", 2, 10, (short) 0);
        client.send(ApiKeys.PRODUCE, VERSION, 1, good);
        assertThat(client.answers()).isEmpty();
        assertThat(client.isOpen()).isTrue();
        assertThat(broker.produced()).isEqualTo(2);

        ProduceRequestData bad = Frames.produce("unknown", 1, 10, (short) 0);
        client.send(ApiKeys.PRODUCE, VERSION, 2, bad);

        assertThat(client.isOpen()).isFalse();
        assertThat(client.answers()).isEmpty();
        assertThat(admission.usedBytes()).isZero();
    }

    @Test
    void refusesAcksThatDoNotExist() {
        client.send(ApiKeys.PRODUCE, VERSION, 1, Frames.produce("t", 1, 10, (short) 2));

        ProduceResponseData answer = client.answer(ApiKeys.PRODUCE, VERSION, 1, new ProduceResponseData());

        assertThat(answer.responses()
                        .iterator()
                        .next()
                        .partitionResponses()
                        .get(0)
                        .errorCode())
                .isEqualTo(Errors.INVALID_REQUIRED_ACKS.code());
        assertThat(broker.produced()).isZero();
    }
}
