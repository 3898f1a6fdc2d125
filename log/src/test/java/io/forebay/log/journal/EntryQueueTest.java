package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class EntryQueueTest {

    private final SimulatedLoop owner = new Simulation(1).loop("owner");
    private final EntryQueue queue = new EntryQueue();

    @Test
    void givesBackInOrderAcrossBeingEmpty() {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < round; i++) {
                queue.put(entry(0, i));
            }
            for (int i = 0; i < round; i++) {
                assertThat(queue.take())
                        .isNotNull()
                        .extracting(JournalEntry::baseOffset)
                        .isEqualTo((long) i);
            }
            assertThat(queue.take()).isNull();
        }
    }

    @Test
    @Tag("stress")
    void losesNothingAndKeepsEachThreadsOrder() throws InterruptedException {
        int threads = 4;
        int each = 50_000;
        List<Thread> putters = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int partition = t;
            Thread putter = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    queue.put(entry(partition, i));
                }
            });
            putters.add(putter);
            putter.start();
        }

        long[] next = new long[threads];
        int taken = 0;
        while (taken < threads * each) {
            JournalEntry entry = queue.take();
            if (entry == null) {
                Thread.onSpinWait();
                continue;
            }
            assertThat(entry.baseOffset()).isEqualTo(next[(int) entry.partitionId()]++);
            taken++;
        }
        for (Thread putter : putters) {
            putter.join();
        }

        assertThat(queue.take()).isNull();
    }

    private TestEntry entry(long partition, long offset) {
        return new TestEntry(
                FrameKind.TRIM, 1024, 1, partition, offset, 0, ByteBuffer.allocate(0), owner, new ArrayList<>());
    }
}
