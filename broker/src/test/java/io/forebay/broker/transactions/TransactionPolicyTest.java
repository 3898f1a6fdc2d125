package io.forebay.broker.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class TransactionPolicyTest {

    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final short V1 = 1;
    private static final short V2 = 2;

    private final TransactionPolicy policy = new TransactionPolicy(60_000);
    private Optional<TransactionState> now = Optional.empty();
    private long nowMs = 1_000;

    @Test
    void givesANewIdEpochZero() {
        assertThat(init(-1, -1, OptionalLong.empty()).needsProducerId()).isTrue();

        TransactionDecision first = init(-1, -1, OptionalLong.of(7));

        assertAnswer(first, Errors.NONE, 7, 0);
        assertStatus(TransactionStatus.EMPTY);
    }

    @Test
    void refusesATimeoutOutOfRange() {
        assertThat(policy.init("x", now, 0, -1, (short) -1, OptionalLong.of(1), nowMs)
                        .error())
                .isEqualTo(Errors.INVALID_TRANSACTION_TIMEOUT);
        assertThat(policy.init("x", now, 60_001, -1, (short) -1, OptionalLong.of(1), nowMs)
                        .error())
                .isEqualTo(Errors.INVALID_TRANSACTION_TIMEOUT);
    }

    @Test
    void stepsTheEpochUpForEachProducerThatBegins() {
        begin();

        assertAnswer(init(-1, -1, OptionalLong.empty()), Errors.NONE, 7, 1);
        assertAnswer(init(-1, -1, OptionalLong.empty()), Errors.NONE, 7, 2);
        assertThat(add(0, V1, P0).error()).isEqualTo(Errors.PRODUCER_FENCED);
    }

    @Test
    void stepsUpOnceForARequestThatIsRepeated() {
        begin();

        assertAnswer(init(7, 0, OptionalLong.empty()), Errors.NONE, 7, 1);
        assertAnswer(init(7, 0, OptionalLong.empty()), Errors.NONE, 7, 1);
        assertThat(init(7, 5, OptionalLong.empty()).error()).isEqualTo(Errors.PRODUCER_FENCED);
        assertThat(init(8, 1, OptionalLong.empty()).error()).isEqualTo(Errors.PRODUCER_FENCED);
    }

    @Test
    void abortsTheOpenTransactionOfTheProducerBefore() {
        begin();
        add(0, V1, P0);

        TransactionDecision next = init(-1, -1, OptionalLong.empty());

        assertThat(next.error()).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
        assertStatus(TransactionStatus.PREPARE_ABORT);
        assertThat(state().epoch()).isEqualTo((short) 1);
        assertThat(state().partitions()).containsExactly(P0);
        assertThat(init(-1, -1, OptionalLong.empty()).error()).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
        complete();
        assertAnswer(init(-1, -1, OptionalLong.empty()), Errors.NONE, 7, 2);
    }

    @Test
    void zombieDoesNotFenceTheOpenTransactionOfItsSuccessor() {
        begin();
        init(-1, -1, OptionalLong.empty());
        add(1, V1, P0);

        assertThat(init(7, 0, OptionalLong.empty()).error()).isEqualTo(Errors.PRODUCER_FENCED);
        assertStatus(TransactionStatus.ONGOING);
    }

    @Test
    void keepsTheEpochWhenAnOlderClientEnds() {
        begin();
        add(0, V1, P0);
        add(0, V1, P1);
        assertThat(state().partitions()).containsExactlyInAnyOrder(P0, P1);

        assertAnswer(end(0, true, V1), Errors.NONE, 7, 0);

        assertStatus(TransactionStatus.PREPARE_COMMIT);
        assertThat(end(0, true, V1).error()).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
        assertThat(end(0, false, V1).error()).isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(add(0, V1, P0).error()).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
        complete();
        assertStatus(TransactionStatus.COMPLETE_COMMIT);
        assertThat(end(0, true, V1).error()).isEqualTo(Errors.NONE);
        assertThat(end(0, false, V1).error()).isEqualTo(Errors.INVALID_TXN_STATE);
    }

    @Test
    void stepsTheEpochUpWithEachEndOfVersionTwo() {
        begin();
        add(0, V2, P0);

        assertAnswer(end(0, true, V2), Errors.NONE, 7, 1);

        assertThat(end(0, true, V2).error()).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
        complete();
        assertAnswer(end(0, true, V2), Errors.NONE, 7, 1);
        assertThat(end(0, false, V2).error()).isEqualTo(Errors.INVALID_TXN_STATE);
    }

    /** The fault that Jepsen reported for version 1: an end that was under way for long must not end what came after. */
    @Test
    void delayedEndOfAnOldTransactionDoesNotTouchANewerOne() {
        begin();
        add(0, V2, P0);
        end(0, true, V2);
        complete();
        add(1, V2, P1);

        assertThat(end(0, true, V2).error()).isEqualTo(Errors.PRODUCER_FENCED);
        assertThat(end(0, false, V2).error()).isEqualTo(Errors.PRODUCER_FENCED);
        assertStatus(TransactionStatus.ONGOING);
    }

    @Test
    void abortsNothingInVersionTwo() {
        begin();

        assertThat(end(0, true, V2).error()).isEqualTo(Errors.INVALID_TXN_STATE);
        assertAnswer(end(0, false, V2), Errors.NONE, 7, 1);
        assertStatus(TransactionStatus.PREPARE_ABORT);
        complete();
        assertAnswer(end(1, false, V2), Errors.NONE, 7, 2);
    }

    @Test
    void takesANewProducerIdWhenEpochsAreUsedUp() {
        begin();
        now = Optional.of(state().withProducer(7, -1, -1, TransactionState.LAST_EPOCH, (short) -1));
        add(TransactionState.LAST_EPOCH, V2, P0);
        assertThat(end(TransactionState.LAST_EPOCH, true, V2).needsProducerId()).isTrue();

        TransactionDecision ended =
                take(policy.end(now, 7, TransactionState.LAST_EPOCH, true, V2, OptionalLong.of(8), nowMs));

        assertAnswer(ended, Errors.NONE, 8, 0);
        assertThat(state().epoch()).isEqualTo(Short.MAX_VALUE);
        complete();
        assertThat(state().producerId()).isEqualTo(8);
        assertThat(state().epoch()).isZero();
        assertAnswer(end(TransactionState.LAST_EPOCH, true, V2), Errors.NONE, 8, 0);
    }

    @Test
    void abortsAfterTheTimeOutAndFences() {
        begin();
        add(0, V1, P0);
        assertThat(policy.timeOut(state(), nowMs + 30_000)).isEmpty();

        now = policy.timeOut(state(), nowMs + 30_001);

        assertStatus(TransactionStatus.PREPARE_ABORT);
        assertThat(end(0, true, V1).error()).isEqualTo(Errors.PRODUCER_FENCED);
        complete();
        assertThat(add(0, V1, P0).error()).isEqualTo(Errors.PRODUCER_FENCED);
    }

    @Test
    void producerThatWasFencedInVersionTwoIsNotToldThatItsEndIsRepeated() {
        begin();
        add(0, V2, P0);
        now = policy.timeOut(state(), nowMs + 30_001);

        assertThat(end(0, false, V2).error()).isEqualTo(Errors.PRODUCER_FENCED);
        complete();
        assertThat(end(0, false, V2).error()).isEqualTo(Errors.PRODUCER_FENCED);
    }

    @Test
    void startsRiseAlsoWhenTheClockGoesBack() {
        begin();
        add(0, V1, P0);
        long first = state().startMs();
        end(0, true, V1);
        complete();
        nowMs -= 500;

        add(0, V1, P0);

        assertThat(state().startMs()).isGreaterThan(first);
    }

    @Test
    void verifiesWhatWasAdded() {
        assertThat(policy.verify(now, 7, (short) 0, P0)).isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
        begin();
        add(0, V1, P0);

        assertThat(policy.verify(now, 7, (short) 0, P0)).isEqualTo(Errors.NONE);
        assertThat(policy.verify(now, 7, (short) 0, P1)).isEqualTo(Errors.TRANSACTION_ABORTABLE);
        assertThat(policy.verify(now, 7, (short) 1, P0)).isEqualTo(Errors.PRODUCER_FENCED);
        end(0, true, V1);
        assertThat(policy.verify(now, 7, (short) 0, P0)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
        complete();
        assertThat(policy.verify(now, 7, (short) 0, P0)).isEqualTo(Errors.TRANSACTION_ABORTABLE);
    }

    @Test
    void recordsBringTheStateBack() {
        begin();
        add(0, V2, P0);
        add(0, V2, P1);
        end(0, false, V2);

        Optional<TransactionState> read =
                TransactionRecordCodec.state("x", java.nio.ByteBuffer.wrap(TransactionRecordCodec.value(state())));

        TransactionState state = state();
        assertThat(read)
                .contains(state.withProducer(
                        state.producerId(),
                        state.previousProducerId(),
                        state.nextProducerId(),
                        state.epoch(),
                        TransactionState.NO_EPOCH));
        assertThat(TransactionRecordCodec.id(java.nio.ByteBuffer.wrap(TransactionRecordCodec.key("x"))))
                .contains("x");
        assertThat(TransactionRecordCodec.state("x", null)).isEmpty();
    }

    private TransactionState state() {
        return now.orElseThrow();
    }

    private void begin() {
        init(-1, -1, OptionalLong.of(7));
    }

    private TransactionDecision init(long id, int epoch, OptionalLong fresh) {
        return take(policy.init("x", now, 30_000, id, (short) epoch, fresh, nowMs));
    }

    private TransactionDecision add(int epoch, short version, TopicPartition partition) {
        return take(policy.add(now, 7, (short) epoch, List.of(partition), version, nowMs));
    }

    private TransactionDecision end(int epoch, boolean commit, short version) {
        return take(policy.end(now, 7, (short) epoch, commit, version, OptionalLong.empty(), nowMs));
    }

    private void complete() {
        now = Optional.of(policy.complete(state(), nowMs));
        assertThat(state().partitions()).isEqualTo(Set.of());
    }

    private TransactionDecision take(TransactionDecision decision) {
        decision.next().ifPresent(next -> now = Optional.of(next));
        return decision;
    }

    private void assertStatus(TransactionStatus status) {
        assertThat(state().status()).isEqualTo(status);
    }

    private static void assertAnswer(TransactionDecision decision, Errors error, long id, int epoch) {
        assertThat(decision.error()).isEqualTo(error);
        assertThat(decision.producerId()).isEqualTo(id);
        assertThat(decision.epoch()).isEqualTo((short) epoch);
    }
}
