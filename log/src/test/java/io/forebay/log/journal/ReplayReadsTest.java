package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.cache.CacheConfig;
import io.forebay.log.cache.PageCache;
import io.forebay.log.cache.WatchedStore;
import io.forebay.store.Store;
import io.forebay.testkit.FaultyStore;
import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How many requests it takes to find out what a journal of files that were put whole holds: on a store far away each one is a wait. */
final class ReplayReadsTest {

    private static final JournalPath PATH = JournalPath.ofSession(8, 0);
    private static final int LINGER_MS = 10;
    private static final int SMALL = 300;
    private static final int LARGE = 400_000;

    private final Simulation simulation = new Simulation(1, Simulation.TieBreak.ARRIVAL);
    private final FaultyStore faulty = new FaultyStore(simulation);
    private final SimulatedLoop owner = simulation.loop("owner");
    private final SimulatedLoop home = simulation.loop("home");
    private final List<TestEntry> told = new ArrayList<>();
    private final List<JournalDamage> damages = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(9);

    @Test
    void aSmallFileTakesOneRequestAndManyAreReadAtOnce() {
        write(200, SMALL);
        FencedJournal fenced = fence();
        WatchedStore watched = new WatchedStore(faulty.handle("reader"));

        SessionIndex index = replay(watched, fenced);

        assertThat(framesOf(index)).isEqualTo(200);
        // Files 32, 64 … 192 carry the indexes of those before them; 193 to 200 are read one by one.
        assertThat(watched.reads).hasSize(6 + 8);
    }

    @Test
    void filesThatNoneCarriesAreReadManyAtOnce() {
        write(31, SMALL);
        FencedJournal fenced = fence();
        WatchedStore watched = new WatchedStore(faulty.handle("reader"));

        SessionIndex index = replay(watched, fenced);

        assertThat(framesOf(index)).isEqualTo(31);
        assertThat(watched.reads).hasSize(31);
        assertThat(watched.mostAtOnce()).isEqualTo(31);
    }

    @Test
    void whatIsDeletedIsNotTakenFromThoseThatCarryIt() {
        write(40, SMALL);
        Store store = faulty.handle("cleaner");
        for (int number = 0; number < 20; number++) {
            var unused = done(store.delete(PATH.file(number)).thenApply(nothing -> true));
        }

        SessionIndex index = replay(faulty.handle("reader"), fence());

        assertThat(framesOf(index)).isEqualTo(40 - 19);
    }

    @Test
    void theFenceAsksNothingOfFilesThatWerePutWhole() {
        write(200, SMALL);
        WatchedStore watched = new WatchedStore(faulty.handle("fencer"));

        FencedJournal fenced = fence(watched);

        assertThat(fenced.lanes().get(0).files()).hasSize(201);
        assertThat(watched.reads).hasSizeLessThan(40);
    }

    @Test
    void ofALargerFileHeaderAndEndAreReadTogether() {
        write(20, LARGE);
        FencedJournal fenced = fence();
        WatchedStore watched = new WatchedStore(faulty.handle("reader"));

        SessionIndex index = replay(watched, fenced);

        assertThat(framesOf(index)).isEqualTo(20);
        assertThat(watched.reads).hasSize(2 * 20);
        assertThat(watched.reads.stream().mapToLong(r -> r.to() - r.from()).sum())
                .isEqualTo(20L * (KnownBytes.TAIL_BYTES + JournalHeader.BYTES));
    }

    @Test
    void whatIsReadBesideALivingWriterTakesOneRequestEach() {
        JournalPosition end = write(200, SMALL);
        WatchedStore watched = new WatchedStore(faulty.handle("reader"));

        SessionIndex index = replayUnfenced(watched, end);

        assertThat(framesOf(index)).isEqualTo(200);
        assertThat(watched.reads).hasSize(1 + 6 + 8);
    }

    @Test
    void largerFilesBesideALivingWriterTakeTwo() {
        JournalPosition end = write(20, LARGE);
        WatchedStore watched = new WatchedStore(faulty.handle("reader"));

        SessionIndex index = replayUnfenced(watched, end);

        assertThat(framesOf(index)).isEqualTo(20);
        assertThat(watched.reads).hasSize(21 + 20);
    }

    private JournalPosition write(int files, int batchBytes) {
        faulty.withoutAppend();
        Store store = faulty.handle("node");
        PageCache cache = new PageCache(store, new CacheConfig(64 << 10, 4 << 20, 1 << 20, 4_096));
        JournalConfig config = new JournalConfig(1 << 20, 1_000, 4_000, 1_000, 3, 10, LINGER_MS, 4);
        Journal journal = new Journal(
                PATH,
                new Maker(1, 2),
                store,
                simulation.loop("journal"),
                simulation.clock(),
                cache,
                config,
                1,
                e -> {});
        var unused = journal.start();
        simulation.runFor(20);
        for (int i = 0; i < files; i++) {
            int offset = i;
            owner.execute(() -> {
                ByteBuffer batch = TestBatches.batch(offset, 1, batchBytes, random);
                journal.append(new TestEntry(FrameKind.BATCH, 1024, 3, 7, offset, 1, batch, owner, told));
            });
            simulation.runFor(2 * LINGER_MS);
        }
        assertThat(told).hasSize(files).allMatch(e -> e.durableAt().file() == e.baseOffset() + 1);
        return journal.nextPosition();
    }

    private FencedJournal fence() {
        return fence(faulty.handle("fencer"));
    }

    private FencedJournal fence(Store store) {
        JournalFence fence = new JournalFence(store, home, simulation.clock(), new Maker(3, 4), FenceConfig.DEFAULT);
        return done(fence.fence(PATH.prefix(), PATH.session(), 1));
    }

    private SessionIndex replay(Store store, FencedJournal fenced) {
        return done(new JournalReplay(store, simulation.loop("merge"), damages::add).load(fenced, lane -> 0));
    }

    private SessionIndex replayUnfenced(Store store, JournalPosition end) {
        return done(new UnfencedReplay(store, home, simulation.loop("merge"), damages::add)
                .load(PATH, new JournalPosition(0, 0), end));
    }

    private <T> T done(CompletableFuture<T> future) {
        assertThat(simulation.runUntil(future::isDone, 60_000)).isTrue();
        return future.join();
    }

    private int framesOf(SessionIndex index) {
        assertThat(damages).isEmpty();
        FrameCursor frames = index.frames(0, 1024, 3, new JournalPosition(0, 0), index.end(0));
        int count = 0;
        while (frames.next()) {
            count++;
        }
        return count;
    }
}
