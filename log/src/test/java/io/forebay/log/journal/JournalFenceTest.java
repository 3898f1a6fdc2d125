package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.memory.MemoryStore;
import io.forebay.testkit.FaultyStore;
import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.Simulation;
import io.forebay.testkit.StoreFault;
import io.forebay.testkit.StoreOperation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class JournalFenceTest {

    private static final JournalPath PATH = JournalPath.ofSession(3, 0);
    private static final Maker WRITER = new Maker(1, 1);
    private static final Maker FENCER = new Maker(2, 2);

    private final Simulation simulation = new Simulation(1, Simulation.TieBreak.ARRIVAL);
    private final SimulatedLoop loop = simulation.loop("fence");
    private final MemoryStore memory = new MemoryStore();

    @Test
    void aSessionWithoutFilesGetsItsTombstoneAtZero() {
        FencedJournal fenced = fence(memory, 2);

        assertThat(fenced.lanes())
                .hasSize(2)
                .allMatch(lane -> lane.tombstone() == 0 && lane.files().isEmpty());
        assertThat(header(0).map(JournalHeader::kind)).contains(JournalHeader.Kind.TOMBSTONE);
    }

    @Test
    void emptyAndTornFilesAreTheWritersNotTombstones() {
        append(0, header(0, -1, 0));
        append(1);
        append(2, ByteBuffer.wrap(new byte[] {'F', 'J', 1}));

        FencedJournal.Lane lane = fence(memory, 1).lanes().get(0);

        assertThat(lane.tombstone()).isEqualTo(3);
        assertThat(lane.files()).extracting(FencedJournal.File::end).containsExactly(64, 0, 3);
        assertThat(lane.files()).extracting(FencedJournal.File::stated).containsOnly(false);
    }

    @Test
    void whatALaterHeaderStatesWinsOverSealedEnds() {
        append(0, header(0, -1, 0), ByteBuffer.allocate(500));
        append(1, header(1, 200, 0), ByteBuffer.allocate(50));
        append(2, header(2, 200, 1), ByteBuffer.allocate(70));

        FencedJournal.Lane lane = fence(memory, 1).lanes().get(0);

        assertThat(lane.files()).extracting(FencedJournal.File::end).containsExactly(200, 0, 134);
        assertThat(lane.files()).extracting(FencedJournal.File::stated).containsExactly(true, true, false);
    }

    @Test
    void anothersTombstoneIsSuccessAndTheSealsAreFinished() {
        Appender appender = append(0, header(0, -1, 0));
        put(1, JournalHeader.tombstone(PATH, 1, new Maker(9, 9), 0).encode());

        FencedJournal fenced = fence(memory, 1);

        assertThat(fenced.lanes().get(0).tombstone()).isEqualTo(1);
        assertThat(appender.append(List.of(ByteBuffer.allocate(10))).join())
                .isInstanceOf(io.forebay.store.AppendOutcome.Fenced.class);
        assertThat(fence(memory, 1)).isEqualTo(fenced);
        assertThat(header(1).map(JournalHeader::maker)).contains(new Maker(9, 9));
    }

    @Test
    void aFileMadeWhileTheFenceLookedIsSealedToo() {
        append(0, header(0, -1, 0));
        LatePuts late = new LatePuts(memory);
        CompletableFuture<FencedJournal> fencing = fenceSoon(late.store, 1);
        simulation.runFor(5);
        append(1, header(1, 64, 0), ByteBuffer.allocate(30));
        late.letGo();
        simulation.runFor(5);

        FencedJournal.Lane lane = fencing.join().lanes().get(0);
        assertThat(lane.tombstone()).isEqualTo(2);
        assertThat(lane.files()).extracting(FencedJournal.File::end).containsExactly(64, 94);
    }

    /** The put is on its way so long that the file of its number was written, retired and deleted. */
    @Test
    void aTombstoneBelowTheWriterDoesNotCount() {
        append(0, header(0, -1, 0));
        LatePuts late = new LatePuts(memory);
        CompletableFuture<FencedJournal> fencing = fenceSoon(late.store, 1);
        simulation.runFor(5);
        Appender highest = append(1, header(1, 64, 0));
        for (int number = 2; number < 5; number++) {
            highest = append(number, header(number, 64, 0));
        }
        for (int number = 0; number < 4; number++) {
            assertThat(memory.delete(PATH.file(number))).isCompleted();
        }
        late.letGo();
        simulation.runFor(5);

        FencedJournal.Lane lane = fencing.join().lanes().get(0);
        assertThat(lane.tombstone()).isEqualTo(5);
        assertThat(lane.files()).extracting(FencedJournal.File::number).containsExactly(4L);
        assertThat(highest.append(List.of(ByteBuffer.allocate(10))).join())
                .isInstanceOf(io.forebay.store.AppendOutcome.Fenced.class);
    }

    @Test
    void aMissingFileHidesNoOther() {
        append(0, header(0, -1, 0), ByteBuffer.allocate(100));
        append(1, header(1, 164, 0), ByteBuffer.allocate(100));
        append(3, header(3, 500, 0), ByteBuffer.allocate(100));

        FencedJournal.Lane lane = fence(memory, 1).lanes().get(0);

        assertThat(lane.tombstone()).isEqualTo(4);
        assertThat(lane.files()).extracting(FencedJournal.File::number).containsExactly(0L, 1L, 3L);
        assertThat(lane.files()).extracting(FencedJournal.File::end).containsExactly(164, 164, 164);
        assertThat(lane.files()).extracting(FencedJournal.File::stated).containsExactly(true, false, false);
    }

    @Test
    void ambiguousPutsAreSettledByLooking() {
        FaultyStore faulty = new FaultyStore(simulation);
        faulty.next(StoreOperation.PUT, key -> true, StoreFault.TIMEOUT_NEVER);
        faulty.next(StoreOperation.PUT, key -> true, StoreFault.TIMEOUT_DONE);
        CompletableFuture<FencedJournal> fencing = fenceSoon(faulty.handle("fencer"), 1);
        simulation.runFor(60_000);

        assertThat(fencing.join().lanes().get(0).tombstone()).isZero();
        assertThat(faulty.snapshot()).hasSize(1);
    }

    private FencedJournal fence(Store store, int lanes) {
        CompletableFuture<FencedJournal> fencing = fenceSoon(store, lanes);
        simulation.runFor(5);
        return fencing.join();
    }

    private CompletableFuture<FencedJournal> fenceSoon(Store store, int lanes) {
        return new JournalFence(store, loop, simulation.clock(), FENCER, FenceConfig.DEFAULT)
                .fence(PATH.prefix(), PATH.session(), lanes);
    }

    private Appender append(long number, ByteBuffer... parts) {
        CreateOutcome outcome =
                memory.createAppender(PATH.file(number), PATH.file(number + 1)).join();
        Appender appender = ((CreateOutcome.Created) outcome).appender();
        assertThat(appender.append(List.of(parts)).join()).isNotNull();
        return appender;
    }

    private static ByteBuffer header(long number, long previousEnd, int skipped) {
        return new JournalHeader(JournalHeader.Kind.DATA, 0, PATH.session(), number, previousEnd, skipped, WRITER, 0)
                .encode();
    }

    private void put(long number, ByteBuffer bytes) {
        assertThat(memory.putIfAbsent(PATH.file(number), bytes).join()).isEqualTo(PutOutcome.WRITTEN);
    }

    private Optional<JournalHeader> header(long number) {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        assertThat(memory.read(PATH.file(number), 0, bytes).join()).isEqualTo(64);
        return JournalHeader.decode(bytes.flip(), PATH, number);
    }

    /** A store whose puts are under way until they are let go. */
    private static final class LatePuts {
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean open;
        final Store store;

        LatePuts(Store inner) {
            store = (Store) java.lang.reflect.Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, args) -> {
                        if (open || !method.getName().equals("putIfAbsent")) {
                            return method.invoke(inner, args);
                        }
                        CompletableFuture<PutOutcome> later = new CompletableFuture<>();
                        waiting.add(() -> later.complete(
                                inner.putIfAbsent((io.forebay.store.ObjectKey) args[0], (ByteBuffer) args[1])
                                        .join()));
                        return later;
                    });
        }

        void letGo() {
            open = true;
            waiting.forEach(Runnable::run);
        }
    }
}
