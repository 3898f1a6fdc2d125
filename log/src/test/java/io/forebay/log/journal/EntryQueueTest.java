package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class EntryQueueTest {

    /** As many as matter, or as go in a time that every build can spare. */
    private static final int EACH = 50_000;

    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(2);

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
        long[] put = new long[threads];
        AtomicInteger ended = new AtomicInteger();
        long end = System.nanoTime() + LONGEST_NS;
        List<Thread> putters = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int partition = t;
            Thread putter = new Thread(() -> {
                for (; put[partition] < EACH && System.nanoTime() < end; put[partition]++) {
                    queue.put(entry(partition, put[partition]));
                }
                ended.incrementAndGet();
            });
            putters.add(putter);
            putter.start();
        }

        long[] next = new long[threads];
        boolean over = false;
        while (!over) {
            boolean allPut = ended.get() == threads; // looked at before the queue: then empty means empty
            JournalEntry entry = queue.take();
            if (entry == null) {
                over = allPut;
                Thread.onSpinWait();
            } else if (entry.baseOffset() != next[(int) entry.partitionId()]++) {
                throw new AssertionError("out of order: " + entry.partitionId() + " at " + entry.baseOffset());
            }
        }
        for (Thread putter : putters) {
            putter.join();
        }

        assertThat(next).isEqualTo(put);
    }

    private TestEntry entry(long partition, long offset) {
        return new TestEntry(
                FrameKind.TRIM, 1024, 1, partition, offset, 0, ByteBuffer.allocate(0), owner, new ArrayList<>());
    }
}
