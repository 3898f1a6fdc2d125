package io.forebay.broker.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Producers of one id that begin, crash, repeat old requests and ask with what they knew long ago, in random order; each step must keep what
 * {@link TransactionPolicy} promises.
 */
class TransactionPolicyPropertyTest {

    private static final int RUNS = 400;
    private static final int STEPS = 400;

    @Test
    void anyOrderOfRequestsKeepsThePromises() {
        for (int seed = 0; seed < RUNS; seed++) {
            try {
                new Run(seed).go();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** What some producer was once told, and may still believe. */
    private record Belief(long producerId, short epoch) {}

    private static final class Run {
        private final TransactionPolicy policy = new TransactionPolicy(10_000);
        private final SplittableRandom random;
        private final List<Belief> beliefs = new ArrayList<>();
        private final short version;
        private Optional<TransactionState> now = Optional.empty();
        private long nextId = 100;
        private long nowMs = 1_000_000;

        Run(int seed) {
            random = new SplittableRandom(seed);
            version = (short) (1 + random.nextInt(2));
            beliefs.add(new Belief(-1, (short) -1));
        }

        void go() {
            for (int i = 0; i < STEPS; i++) {
                nowMs += random.nextInt(4_000) - 500;
                int what = random.nextInt(100);
                if (what < 15) {
                    init();
                } else if (what < 50) {
                    add();
                } else if (what < 75) {
                    end();
                } else if (what < 80) {
                    now.flatMap(state -> policy.timeOut(state, nowMs)).ifPresent(next -> change(next, true));
                } else if (what < 98) {
                    now.filter(state -> state.status().isPrepared())
                            .ifPresent(state -> change(policy.complete(state, nowMs), true));
                } else if (now.isPresent() && !now.get().isEpochUsedUp()) {
                    jump(now.get());
                }
            }
        }

        /** Near the end of the epochs, without the way there. */
        private void jump(TransactionState state) {
            if (state.status() == TransactionStatus.EMPTY) {
                now = Optional.of(state.withProducer(
                        state.producerId(),
                        state.previousProducerId(),
                        state.nextProducerId(),
                        (short) (TransactionState.LAST_EPOCH - random.nextInt(3)),
                        TransactionState.NO_EPOCH));
                beliefs.add(new Belief(state.producerId(), now.get().epoch()));
            }
        }

        private Belief belief() {
            int last = beliefs.size() - 1;
            return beliefs.get(random.nextInt(3) == 0 ? random.nextInt(beliefs.size()) : last);
        }

        private void init() {
            boolean begins = random.nextBoolean();
            Belief claim = begins ? new Belief(-1, (short) -1) : belief();
            TransactionDecision decision =
                    policy.init("x", now, 5_000, claim.producerId, claim.epoch, OptionalLong.empty(), nowMs);
            if (decision.needsProducerId()) {
                decision =
                        policy.init("x", now, 5_000, claim.producerId, claim.epoch, OptionalLong.of(nextId++), nowMs);
            }
            take(decision, true);
        }

        private void add() {
            Belief belief = belief();
            TopicPartition partition = new TopicPartition("t", random.nextInt(3));
            take(
                    policy.add(now, belief.producerId, belief.epoch, List.of(partition), version, nowMs),
                    isCurrent(belief));
        }

        private void end() {
            Belief belief = belief();
            boolean commit = random.nextBoolean();
            TransactionDecision decision =
                    policy.end(now, belief.producerId, belief.epoch, commit, version, OptionalLong.empty(), nowMs);
            if (decision.needsProducerId()) {
                decision = policy.end(
                        now, belief.producerId, belief.epoch, commit, version, OptionalLong.of(nextId++), nowMs);
            }
            take(decision, isCurrent(belief));
        }

        private boolean isCurrent(Belief belief) {
            return now.isPresent()
                    && belief.producerId == now.get().producerId()
                    && belief.epoch == now.get().epoch();
        }

        private void take(TransactionDecision decision, boolean mayChange) {
            decision.next().ifPresent(next -> change(next, mayChange));
            if (decision.producerId() >= 0) {
                Belief told = new Belief(decision.producerId(), decision.epoch());
                if (!told.equals(beliefs.get(beliefs.size() - 1))) {
                    beliefs.add(told);
                }
            }
        }

        private void change(TransactionState next, boolean mayChange) {
            assertThat(mayChange).as("a zombie changes %s to %s", now, next).isTrue();
            now.ifPresent(before -> {
                assertEpochRises(before, next);
                assertThat(next.startMs()).isGreaterThanOrEqualTo(before.startMs());
                boolean begins =
                        next.status() == TransactionStatus.ONGOING && before.status() != TransactionStatus.ONGOING;
                if (begins) {
                    assertThat(before.status().isPrepared()).isFalse();
                    assertThat(next.startMs()).isGreaterThan(before.startMs());
                }
                if (before.status() == TransactionStatus.ONGOING) {
                    assertThat(next.partitions()).containsAll(before.partitions());
                }
                if (before.status().isPrepared()) {
                    assertThat(next.status())
                            .isEqualTo(
                                    before.status().isCommit()
                                            ? TransactionStatus.COMPLETE_COMMIT
                                            : TransactionStatus.COMPLETE_ABORT);
                }
                if (version == 2 && next.status().isPrepared()) {
                    assertThat(next.epoch()).isGreaterThan(before.epoch());
                }
            });
            Optional<TransactionState> replayed =
                    TransactionRecordCodec.state("x", java.nio.ByteBuffer.wrap(TransactionRecordCodec.value(next)));
            assertThat(replayed.orElseThrow().partitions()).isEqualTo(next.partitions());
            now = Optional.of(next);
        }

        private static void assertEpochRises(TransactionState before, TransactionState next) {
            if (next.producerId() == before.producerId()) {
                assertThat(next.epoch()).isGreaterThanOrEqualTo(before.epoch());
            } else {
                assertThat(next.producerId()).isGreaterThan(before.producerId());
                assertThat(next.epoch()).isZero();
                assertThat(next.previousProducerId()).isEqualTo(before.producerId());
            }
        }
    }
}
