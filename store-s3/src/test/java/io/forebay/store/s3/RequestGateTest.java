package io.forebay.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RequestGateTest {

    private final RequestGate gate = new RequestGate(8);

    @Test
    void whoComesWhenItIsFullWaitsForItsTurn() {
        List<CompletableFuture<Void>> turns = enter(10);
        assertThat(turns.stream().filter(CompletableFuture::isDone)).hasSize(8);

        gate.leave(false);

        assertThat(turns.get(8)).isDone();
        assertThat(turns.get(9)).isNotDone();
    }

    @Test
    void throttlingHalvesItOnceForAllAnswersOfThatMoment() {
        assertThat(enter(8)).hasSize(8);

        for (int i = 0; i < 8; i++) {
            gate.leave(true);
        }

        assertThat(gate.limit()).isEqualTo(4);
    }

    @Test
    void itNeverClosesAndOpensAgainSlowly() {
        for (int i = 0; i < 10; i++) {
            assertThat(enter(1).get(0)).isDone();
            gate.leave(true);
        }
        assertThat(gate.limit()).isEqualTo(1);

        for (int i = 0; i < 1 + 2 + 3; i++) {
            assertThat(enter(1).get(0)).isDone();
            gate.leave(false);
        }

        assertThat(gate.limit()).isEqualTo(4);
    }

    private List<CompletableFuture<Void>> enter(int count) {
        List<CompletableFuture<Void>> turns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            turns.add(gate.enter());
        }
        return turns;
    }
}
