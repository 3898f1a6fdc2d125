package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.cache.CacheConfig;
import io.forebay.log.cache.PageCache;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The journal on a store that takes whole objects only. */
final class JournalPutTest {

    private static final JournalPath PATH = JournalPath.ofSession(8, 0);
    private static final int LINGER_MS = 250;
    private static final JournalConfig CONFIG = new JournalConfig(10_000, 1_000, 4_000, 1_000, 3, 10, LINGER_MS, 3);
    private static final Maker MAKER = new Maker(1, 2);

    private final Simulation simulation = new Simulation(1, Simulation.TieBreak.ARRIVAL);
    private final FaultyStore faulty = new FaultyStore(simulation);
    private final Store store = faulty.handle("node");
    private final SimulatedLoop owner = simulation.loop("owner");
    private final PageCache cache = new PageCache(store, new CacheConfig(1_024, 64 << 10, 16 << 10, 4_096));
    private final List<JournalEndedException> ends = new ArrayList<>();
    private final List<TestEntry> told = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(9);
    private @org.jspecify.annotations.Nullable Journal made;

    @BeforeEach
    void start() {
        faulty.withoutAppend();
        Journal journal = new Journal(
                PATH, MAKER, store, simulation.loop("journal"), simulation.clock(), cache, CONFIG, 1, ends::add);
        made = journal;
        CompletableFuture<Void> started = journal.start();
        simulation.runFor(20);
        assertThat(started).isCompleted();
    }

    @Test
    void theFirstFileSaysThatTheSessionHasBegun() {
        assertThat(object(0)).hasSize(JournalHeader.BYTES);
        assertThat(files()).isEqualTo(1);
    }

    @Test
    void eachGroupIsAFileWithItsIndex() {
        appendAtOnce(0, 5);
        simulation.runFor(20);

        assertThat(told).hasSize(5).allMatch(e -> e.told() == TestEntry.Told.DURABLE);
        assertThat(told).allMatch(e -> e.durableAt().file() == 1);
        byte[] bytes = object(1);
        ByteBuffer trailer = ByteBuffer.wrap(bytes, bytes.length - JournalTrailer.BYTES, JournalTrailer.BYTES);
        assertThat(JournalTrailer.decode(trailer, JournalTrailer.JOURNAL, bytes.length))
                .hasValueSatisfying(t -> assertThat(t.indexPosition()).isEqualTo(64 + 5 * 264));
        assertThat(journal().nextPosition()).isEqualTo(new JournalPosition(1, 64 + 5 * 264));
        assertThat(journal().closedFiles()).extracting(ClosedFile::number).containsExactly(0L, 1L);
    }

    @Test
    void afterARestAPutGoesAtOnceAndTheNextWaitsForMore() {
        append(0);
        simulation.runFor(20);
        assertThat(files()).isEqualTo(2);

        append(1);
        simulation.runFor(20);
        append(2);
        assertThat(files()).isEqualTo(2);
        simulation.runFor(LINGER_MS / 4);

        assertThat(files()).isEqualTo(3);
        assertThat(told).hasSize(3).allMatch(e -> e.told() == TestEntry.Told.DURABLE);
    }

    @Test
    void inTheLongRunThereIsOnePutForEachLinger() {
        int pauseMs = 30;
        for (int offset = 0; offset < 1_000; offset++) {
            append(offset);
            simulation.runFor(pauseMs);
        }

        int lingers = 1_000 * pauseMs / LINGER_MS;
        assertThat(files()).isBetween(lingers - 2, lingers + 6);
    }

    @Test
    void aSlowPutHoldsUpNoneBehindItButTheirAcknowledgements() {
        faulty.next(StoreOperation.PUT, PATH.file(1)::equals, StoreFault.TIMEOUT_NEVER);
        append(0);
        simulation.runFor(100);
        append(1);
        simulation.runFor(200);
        append(2);
        simulation.runFor(300);
        append(3);
        simulation.runFor(300);

        assertThat(told).isEmpty();
        assertThat(numbers()).containsExactly(0L, 2L, 3L);

        simulation.runFor(20_000);
        assertThat(told).extracting(TestEntry::baseOffset).containsExactly(0L, 1L, 2L, 3L);
        assertThat(told).allMatch(e -> e.told() == TestEntry.Told.DURABLE);
        assertThat(numbers()).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void eachFileSaysHowLongItIsAndWhatWasAcknowledgedWhenItWasMade() {
        faulty.next(StoreOperation.PUT, PATH.file(2)::equals, StoreFault.TIMEOUT_NEVER);
        for (int offset = 0; offset < 4; offset++) {
            append(offset);
            simulation.runFor(200);
        }
        simulation.runFor(20_000);

        assertThat(numbers()).containsExactly(0L, 1L, 2L, 3L, 4L);
        for (long number : numbers()) {
            assertThat(header(number).length()).isEqualTo(object(number).length);
        }
        assertThat(numbers()).extracting(n -> header(n).acknowledged()).containsExactly(-1L, 0L, 1L, 1L, 1L);
        assertThat(journal().deletableBelow()).isEqualTo(2);

        append(4);
        simulation.runFor(1_000);
        assertThat(journal().deletableBelow()).isEqualTo(5);
    }

    @Test
    void aTombstoneInAHoleEndsWhatIsAboveIt() {
        faulty.next(StoreOperation.PUT, PATH.file(2)::equals, StoreFault.TIMEOUT_NEVER);
        for (int offset = 0; offset < 4; offset++) {
            append(offset);
            simulation.runFor(200);
        }
        assertThat(numbers()).containsExactly(0L, 1L, 3L, 4L);
        JournalFence fence = new JournalFence(
                faulty.handle("fencer"), owner, simulation.clock(), new Maker(9, 9), FenceConfig.DEFAULT);
        CompletableFuture<FencedJournal> fenced = fence.fence(PATH.prefix(), PATH.session(), 1);
        simulation.runFor(20_000);

        assertThat(fenced.join().lanes().get(0).tombstone()).isEqualTo(2);
        assertThat(fenced.join().lanes().get(0).files())
                .extracting(FencedJournal.File::number)
                .containsExactly(0L, 1L);
        assertThat(told)
                .extracting(TestEntry::told)
                .containsExactly(
                        TestEntry.Told.DURABLE, TestEntry.Told.FAILED, TestEntry.Told.FAILED, TestEntry.Told.FAILED);
        assertThat(ends).extracting(JournalEndedException::reason).containsExactly(JournalEndedException.Reason.FENCED);
    }

    @Test
    void aPutAboveAMissingOneProvesNothing() {
        faulty.next(StoreOperation.PUT, PATH.file(1)::equals, StoreFault.TIMEOUT_NEVER);
        append(0);
        simulation.runFor(100);
        long before = journal().provenAtNanos();
        append(1);
        simulation.runFor(500);

        assertThat(numbers()).containsExactly(0L, 2L);
        assertThat(journal().provenAtNanos()).isEqualTo(before);
        simulation.runFor(20_000);
        assertThat(journal().provenAtNanos()).isGreaterThan(before);
    }

    @Test
    void aFullGroupWaitsForNothing() {
        append(0);
        simulation.runFor(20);

        appendAtOnce(1, 16);
        simulation.runFor(20);

        assertThat(told.size()).isGreaterThan(10);
    }

    @Test
    void atRestNothingIsPut() {
        append(0);
        simulation.runFor(3_600_000);

        assertThat(files()).isEqualTo(2);
    }

    @Test
    void aPutOfUnknownOutcomeIsRepeatedWithTheSameBytesAndNeverSkipped() {
        faulty.next(StoreOperation.PUT, PATH.file(1)::equals, StoreFault.TIMEOUT_NEVER);
        faulty.next(StoreOperation.PUT, PATH.file(1)::equals, StoreFault.TIMEOUT_LATER);
        append(0);
        simulation.runFor(200_000);
        append(1);
        simulation.runFor(1_000);

        assertThat(told).hasSize(2).allMatch(e -> e.told() == TestEntry.Told.DURABLE);
        assertThat(told.get(0).durableAt().file()).isEqualTo(1);
        assertThat(told.get(1).durableAt().file()).isEqualTo(2);
    }

    @Test
    void aTombstoneFencesIt() {
        append(0);
        simulation.runFor(500);
        putTombstone(2);

        append(1);
        simulation.runFor(500);

        assertThat(told).extracting(TestEntry::told).containsExactly(TestEntry.Told.DURABLE, TestEntry.Told.FAILED);
        assertThat(ends).extracting(JournalEndedException::reason).containsExactly(JournalEndedException.Reason.FENCED);
    }

    @Test
    void aLookFindsATombstone() {
        CompletableFuture<Boolean> before = journal().prove();
        simulation.runFor(50);
        putTombstone(1);
        CompletableFuture<Boolean> after = journal().prove();
        simulation.runFor(50);

        assertThat(before).isCompletedWithValue(true);
        assertThat(after).isCompletedWithValue(false);
    }

    @Test
    void aCloseWaitsForNothingAndLeavesATombstone() {
        append(0);
        simulation.runFor(20);
        append(1);
        CompletableFuture<Void> closed = journal().close();
        simulation.runFor(50);

        assertThat(closed).isCompleted();
        assertThat(told).hasSize(2).allMatch(e -> e.told() == TestEntry.Told.DURABLE);
        assertThat(JournalHeader.decode(ByteBuffer.wrap(object(3)), PATH, 3))
                .hasValueSatisfying(h -> assertThat(h.kind()).isEqualTo(JournalHeader.Kind.TOMBSTONE));
    }

    private Journal journal() {
        return Objects.requireNonNull(made);
    }

    private void append(int offset) {
        appendAtOnce(offset, 1);
    }

    private void appendAtOnce(int firstOffset, int count) {
        owner.execute(() -> {
            for (int offset = firstOffset; offset < firstOffset + count; offset++) {
                ByteBuffer batch = TestBatches.batch(offset, 1, 200, random);
                journal().append(new TestEntry(FrameKind.BATCH, 1024, 3, 7, offset, 1, batch, owner, told));
            }
        });
    }

    private void putTombstone(long number) {
        CompletableFuture<PutOutcome> put = faulty.handle("fencer")
                .putIfAbsent(
                        PATH.file(number),
                        JournalHeader.tombstone(PATH, number, new Maker(9, 9), 0)
                                .encode());
        simulation.runFor(50);
        assertThat(put).isCompletedWithValue(PutOutcome.WRITTEN);
    }

    private byte[] object(long number) {
        return Objects.requireNonNull(faulty.snapshot().get(PATH.file(number)));
    }

    private JournalHeader header(long number) {
        return JournalHeader.decode(ByteBuffer.wrap(object(number)), PATH, number)
                .orElseThrow();
    }

    private List<Long> numbers() {
        return faulty.snapshot().keySet().stream()
                .map(key -> PATH.numberOf(key).orElseThrow())
                .toList();
    }

    private int files() {
        return faulty.snapshot().size();
    }
}
