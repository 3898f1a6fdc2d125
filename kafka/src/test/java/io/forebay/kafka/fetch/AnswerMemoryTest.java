package io.forebay.kafka.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.kafka.api.ClientConnection;
import io.forebay.kafka.fake.HandClock;
import io.forebay.model.Loop;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.junit.jupiter.api.Test;

class AnswerMemoryTest {

    private static final int LIMIT = 32 << 20;

    private final HandClock clock = new HandClock();
    private final AnswerMemory memory = new AnswerMemory(LIMIT, clock);
    private final List<String> dropped = new ArrayList<>();

    @Test
    void clientsThatDoNotReadUseUpLessAndLess() {
        for (int i = 0; i < 1_000; i++) {
            int share = memory.share();
            if (share > AnswerMemory.SMALLEST_BYTES) {
                AnswerMemory.Held unused = memory.hold(share, client("idle"));
            }
        }

        assertThat(memory.heldBytes()).isLessThan(LIMIT);
        assertThat(memory.share()).isEqualTo(AnswerMemory.SMALLEST_BYTES);
    }

    @Test
    void whoeverHoldsMemoryThatOthersNeedLosesTheConnection() {
        AnswerMemory.Held unused = memory.hold(LIMIT / 2 + 1, client("idle"));
        clock.advance(AnswerMemory.LONGEST_HOLD_MS);
        AnswerMemory.Held fresh = memory.hold(100, client("fresh"));

        assertThat(memory.share()).isPositive();
        assertThat(dropped).isEmpty();
        clock.advance(2_000);
        assertThat(memory.share()).isPositive();

        assertThat(dropped).hasSize(1);
        assertThat(dropped.get(0)).startsWith("idle: it has not taken an answer of ");
        memory.letGo(fresh);
    }

    @Test
    void whoeverIsSlowStaysWhileThereIsMemory() {
        AnswerMemory.Held slow = memory.hold(1_000, client("slow"));
        clock.advance(3_600_000);

        assertThat(memory.share()).isEqualTo((LIMIT - 1_000) / 4);

        assertThat(dropped).isEmpty();
        memory.letGo(slow);
        assertThat(memory.heldBytes()).isZero();
    }

    private ClientConnection client(String name) {
        ClientConnection client =
                new ClientConnection(name, InetAddress.getLoopbackAddress(), new Here(), KafkaPrincipal.ANONYMOUS);
        client.droppedBy(reason -> dropped.add(name + ": " + reason));
        return client;
    }

    /** Runs everything at once. */
    private static final class Here implements Loop {
        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Cancellable schedule(Runnable task, long delayMs) {
            throw new UnsupportedOperationException();
        }
    }
}
