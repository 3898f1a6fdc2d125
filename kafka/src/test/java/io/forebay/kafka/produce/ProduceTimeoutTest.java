package io.forebay.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.fake.FakeBroker;
import io.forebay.kafka.fake.Frames;
import io.forebay.kafka.net.Admission;
import io.forebay.kafka.net.ConnectionConfig;
import io.forebay.kafka.net.EmbeddedClient;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** The time that a produce request grants: who waits longer is told so, once, and nothing is undone. */
class ProduceTimeoutTest {

    private static final short VERSION = 9;
    private static final int RECORD_BYTES = 50_000;

    private final FakeBroker broker = new FakeBroker();
    private final Admission admission = new Admission(1 << 20);
    private final EmbeddedClient client = new EmbeddedClient(
            new ApiTable(List.of(new ProduceHandler(broker))), admission, ConnectionConfig.of(1 << 20, 600_000));

    ProduceTimeoutTest() {
        broker.create("t", 4);
        broker.holdProduces();
    }

    private void send(int id, int partitions, int timeoutMs) {
        ProduceRequestData request = Frames.produce("t", partitions, RECORD_BYTES, (short) -1);
        client.send(ApiKeys.PRODUCE, VERSION, id, request.setTimeoutMs(timeoutMs));
    }

    private List<Errors> errors(int id) {
        ProduceResponseData answer = client.answer(ApiKeys.PRODUCE, VERSION, id, new ProduceResponseData());
        List<Errors> errors = new ArrayList<>();
        answer.responses()
                .forEach(topic -> topic.partitionResponses()
                        .forEach(partition -> errors.add(Errors.forCode(partition.errorCode()))));
        return errors;
    }

    @Test
    void namesThePartitionsThatWereNotAcknowledgedInTime() {
        send(1, 3, 1_000);
        assertThat(broker.releaseOne()).isTrue();
        client.pass(500);
        assertThat(client.answers()).isEmpty();

        client.pass(500);

        assertThat(errors(1)).containsExactly(Errors.NONE, Errors.REQUEST_TIMED_OUT, Errors.REQUEST_TIMED_OUT);
    }

    @Test
    void isNotAnsweredAgainWhenTheBatchIsDurableAfterAll() {
        send(1, 2, 1_000);
        client.pass(1_000);
        assertThat(errors(1)).containsExactly(Errors.REQUEST_TIMED_OUT, Errors.REQUEST_TIMED_OUT);

        assertThat(broker.releaseOne()).isTrue();
        assertThat(broker.releaseOne()).isTrue();

        assertThat(client.answers()).isEmpty();
        send(2, 1, 1_000);
        assertThat(broker.releaseOne()).isTrue();
        assertThat(errors(2)).containsExactly(Errors.NONE);
    }

    @Test
    void keepsItsBytesAdmittedUntilTheBrokerHasCopiedThem() {
        send(1, 2, 1_000);
        client.pass(1_000);
        assertThat(client.answeredIds()).containsExactly(1);
        long admitted = admission.usedBytes();
        assertThat(admitted).isGreaterThan(2 * RECORD_BYTES);

        assertThat(broker.releaseOne()).isTrue();
        assertThat(admission.usedBytes()).isEqualTo(admitted);
        assertThat(broker.releaseOne()).isTrue();

        assertThat(admission.usedBytes()).isZero();
    }

    @Test
    void keepsThemAlsoWhenTheClientHasGone() {
        send(1, 1, 1_000);
        client.pass(1_000);

        client.disconnect();

        assertThat(admission.usedBytes()).isGreaterThan(RECORD_BYTES);
        assertThat(broker.releaseOne()).isTrue();
        assertThat(admission.usedBytes()).isZero();
    }

    @Test
    void givesEveryRequestItsOwnTime() {
        send(1, 1, 3_000);
        client.pass(500);
        send(2, 1, 1_000);
        client.pass(500);
        send(3, 1, 4_000);

        client.pass(1_500);
        assertThat(client.answers()).isEmpty(); // 2 is due, but answers keep their order
        client.pass(500);
        assertThat(client.answeredIds()).containsExactly(1, 2);
        client.pass(1_500);
        assertThat(client.answers()).isEmpty();
        client.pass(500);

        assertThat(client.answeredIds()).containsExactly(3);
    }

    @Test
    void anAnswerInTimeIsTheOnlyOne() {
        send(1, 1, 1_000);
        assertThat(broker.releaseOne()).isTrue();
        assertThat(errors(1)).containsExactly(Errors.NONE);

        client.pass(2_000);

        assertThat(client.answers()).isEmpty();
        assertThat(admission.usedBytes()).isZero();
    }

    @Test
    void waitsAsLongAsItTakesForAClientThatGrantsNoTime() {
        send(1, 1, 0);

        client.pass(100_000);

        assertThat(client.answers()).isEmpty();
        assertThat(broker.releaseOne()).isTrue();
        assertThat(errors(1)).containsExactly(Errors.NONE);
    }
}
