package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.log.cache.CacheConfig;
import io.forebay.log.cache.PageCache;
import io.forebay.model.ByteRun;
import io.forebay.model.Loop;
import io.forebay.store.ObjectKey;
import io.forebay.testkit.FaultyStore;
import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.Simulation;
import io.forebay.testkit.StoreFault;
import io.forebay.testkit.StoreOperation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class JournalTest {

    private static final JournalPath PATH = JournalPath.ofSession(8, 0);
    private static final JournalConfig CONFIG = new JournalConfig(10_000, 1_000, 4_000, 1_000, 3, 10, 50, 4);
    private static final Maker MAKER = new Maker(1, 2);

    private final Simulation simulation = new Simulation(1, Simulation.TieBreak.ARRIVAL);
    private final FaultyStore faulty = new FaultyStore(simulation);
    private final io.forebay.store.Store store = faulty.handle("node");
    private final SimulatedLoop owner = simulation.loop("owner");
    private final PageCache cache = new PageCache(store, new CacheConfig(1_024, 64 << 10, 16 << 10, 4_096));
    private final List<JournalEndedException> ends = new ArrayList<>();
    private final List<TestEntry> told = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(9);
    private final Journal journal = new Journal(
            PATH, MAKER, store, simulation.loop("journal"), simulation.clock(), cache, CONFIG, 1, ends::add);

    @Test
    void whatWaitsSharesOneAppendAndOneTaskForEachLoop() {
        AtomicInteger tasks = new AtomicInteger();
        Loop counting = new CountingLoop(owner, tasks);
        for (int i = 0; i < 10; i++) {
            append(entry(i, 200, counting));
        }
        start();

        assertThat(told).hasSize(10).allMatch(e -> e.told() == TestEntry.Told.DURABLE && e.copies() == 1);
        assertThat(tasks.get()).isEqualTo(1);
        assertThat(journal.nextPosition()).isEqualTo(new JournalPosition(0, 64 + 10 * 264));
    }

    @Test
    void aFullFileGetsItsIndexBeforeTheNextIsMade() {
        start();
        for (int i = 0; i < 60; i++) {
            append(entry(i, 200, owner));
            simulation.runFor(20);
        }

        assertThat(told).hasSize(60);
        ClosedFile first = journal.closedFiles().get(0);
        assertThat(first.end()).isBetween(10_000, 10_300);
        assertThat(first.shards()).containsExactly(1024);
        byte[] bytes = object(0);
        ByteBuffer trailer = ByteBuffer.wrap(bytes, bytes.length - 32, 32);
        assertThat(JournalTrailer.decode(trailer, JournalTrailer.JOURNAL, bytes.length))
                .hasValueSatisfying(t -> assertThat(t.indexPosition()).isEqualTo(first.end()));
        assertThat(JournalHeader.decode(ByteBuffer.wrap(object(1)), PATH, 1)).hasValueSatisfying(h -> {
            assertThat(h.previousEnd()).isEqualTo(bytes.length);
            assertThat(h.skipped()).isZero();
        });
    }

    @Test
    void aNumberWhoseCreationIsUnknownIsBurntNotSkipped() {
        start();
        append(entry(0, 200, owner));
        simulation.runFor(50);
        faulty.next(StoreOperation.APPEND, key -> true, StoreFault.SHORT_WRITE);
        faulty.next(StoreOperation.CREATE, PATH.file(1)::equals, StoreFault.TIMEOUT_NEVER);
        append(entry(1, 200, owner));
        simulation.runFor(20_000);

        assertThat(told).hasSize(2).allMatch(e -> e.told() == TestEntry.Told.DURABLE);
        assertThat(told.get(1).durableAt()).isEqualTo(new JournalPosition(2, 128));
        assertThat(object(1)).hasSize(64);
        assertThat(JournalHeader.decode(ByteBuffer.wrap(object(2)), PATH, 2)).hasValueSatisfying(h -> {
            assertThat(h.previousEnd()).isEqualTo(64 + 264);
            assertThat(h.skipped()).isEqualTo(1);
        });
    }

    @Test
    void aTombstoneFencesIt() {
        start();
        append(entry(0, 200, owner));
        simulation.runFor(50);
        putTombstone(1);
        append(entry(1, 200, owner));
        simulation.runFor(50);
        append(entry(2, 200, owner));
        simulation.runFor(50);

        assertThat(told)
                .extracting(TestEntry::told)
                .containsExactly(TestEntry.Told.DURABLE, TestEntry.Told.FAILED, TestEntry.Told.FAILED);
        assertThat(ends).extracting(JournalEndedException::reason).containsExactly(JournalEndedException.Reason.FENCED);
    }

    @Test
    void aTombstoneAtZeroFencesItAtTheStart() {
        putTombstone(0);
        CompletableFuture<Void> started = journal.start();
        append(entry(0, 200, owner));
        simulation.runFor(50);

        assertThat(started).isCompletedExceptionally();
        assertThat(told).extracting(TestEntry::told).containsExactly(TestEntry.Told.FAILED);
        assertThat(ends).extracting(JournalEndedException::reason).containsExactly(JournalEndedException.Reason.FENCED);
    }

    @Test
    void theSessionEndsWhenNoFileCanBeMade() {
        start();
        for (int i = 0; i < CONFIG.createTries() + 1; i++) {
            faulty.next(StoreOperation.APPEND, key -> true, StoreFault.FULL);
        }
        append(entry(0, 200, owner));
        simulation.runFor(20_000);

        assertThat(told).extracting(TestEntry::told).containsExactly(TestEntry.Told.FAILED);
        assertThat(ends)
                .extracting(JournalEndedException::reason)
                .containsExactly(JournalEndedException.Reason.STORE_FAILED);
    }

    @Test
    void closesInGoodOrder() {
        start();
        append(entry(0, 200, owner));
        CompletableFuture<Void> closed = journal.close();
        simulation.runFor(100);
        append(entry(1, 200, owner));
        simulation.runFor(100);

        assertThat(closed).isCompleted();
        assertThat(told).extracting(TestEntry::told).containsExactly(TestEntry.Told.DURABLE, TestEntry.Told.FAILED);
        assertThat(ends).isEmpty();
        assertThat(JournalHeader.decode(ByteBuffer.wrap(object(1)), PATH, 1))
                .hasValueSatisfying(h -> assertThat(h.kind()).isEqualTo(JournalHeader.Kind.TOMBSTONE));
        byte[] bytes = object(0);
        assertThat(JournalTrailer.decode(
                        ByteBuffer.wrap(bytes, bytes.length - 32, 32), JournalTrailer.JOURNAL, bytes.length))
                .isPresent();
    }

    @Test
    void waitsWhileReadersHoldAllPages() {
        start();
        List<ByteRun> readers = new ArrayList<>();
        int appended = 0;
        while (appended < 400 && told.size() == appended) {
            append(entry(appended, 200, owner));
            appended++;
            simulation.runFor(20);
            if (told.size() == appended) {
                JournalPosition at = told.get(appended - 1).durableAt();
                ByteRun run = cache.tryRead(PATH.file(at.file()), at.position(), 200);
                if (run != null) {
                    readers.add(run);
                }
            }
        }
        assertThat(told).hasSize(appended - 1);
        assertThat(cache.memoryBytes()).isLessThanOrEqualTo(64 << 10);

        readers.forEach(ByteRun::release);
        simulation.runFor(50);

        assertThat(told).hasSize(appended).allMatch(e -> e.told() == TestEntry.Told.DURABLE);
    }

    @Test
    void provesThatItIsNotFenced() {
        start();
        simulation.runFor(1_000);
        long asked = simulation.clock().nanos();
        CompletableFuture<Boolean> first = journal.prove();
        simulation.runFor(50);
        assertThat(first).isCompletedWithValue(true);
        assertThat(journal.provenAtNanos()).isGreaterThanOrEqualTo(asked);

        putTombstone(1);
        CompletableFuture<Boolean> second = journal.prove();
        simulation.runFor(50);

        assertThat(second).isCompletedWithValue(false);
        assertThat(ends).extracting(JournalEndedException::reason).containsExactly(JournalEndedException.Reason.FENCED);
    }

    @Test
    void refusesABodyThatCannotFit() {
        assertThatThrownBy(() -> journal.append(entry(0, journal.maxBodyBytes() + 1, owner)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void start() {
        CompletableFuture<Void> started = journal.start();
        simulation.runFor(50);
        assertThat(started).isCompleted();
    }

    private void append(TestEntry entry) {
        owner.execute(() -> journal.append(entry));
    }

    private TestEntry entry(int offset, int bytes, Loop loop) {
        ByteBuffer batch = TestBatches.batch(offset, 1, bytes, random);
        return new TestEntry(FrameKind.BATCH, 1024, 1, 7, offset, 1, batch, loop, told);
    }

    private void putTombstone(long number) {
        ObjectKey key = PATH.file(number);
        ByteBuffer tombstone =
                JournalHeader.tombstone(PATH, number, new Maker(3, 4), 0).encode();
        CompletableFuture<?> put = faulty.handle("other").putIfAbsent(key, tombstone);
        simulation.runFor(50);
        assertThat(put).isCompleted();
    }

    private byte[] object(long number) {
        return Objects.requireNonNull(faulty.snapshot().get(PATH.file(number)));
    }

    private record CountingLoop(SimulatedLoop loop, AtomicInteger tasks) implements Loop {
        @Override
        public boolean inLoop() {
            return loop.inLoop();
        }

        @Override
        public void execute(Runnable task) {
            tasks.incrementAndGet();
            loop.execute(task);
        }

        @Override
        public Cancellable schedule(Runnable task, long delayMs) {
            return loop.schedule(task, delayMs);
        }
    }
}
