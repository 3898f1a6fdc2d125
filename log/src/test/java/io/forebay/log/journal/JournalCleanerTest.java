package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.Store;
import io.forebay.testkit.FaultyStore;
import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.Simulation;
import io.forebay.testkit.StoreFault;
import io.forebay.testkit.StoreOperation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class JournalCleanerTest {

    private static final JournalPath PATH = JournalPath.ofSession(3, 0);

    private final Simulation simulation = new Simulation(1);
    private final FaultyStore faulty = new FaultyStore(simulation);
    private final Store store = faulty.handle("node");
    private final SimulatedLoop loop = simulation.loop("cleaner");
    private long firstNeeded = Long.MAX_VALUE;
    private final JournalCleaner cleaner = new JournalCleaner(
            store, loop, (path, file) -> CompletableFuture.completedFuture(file.number() >= firstNeeded));

    @Test
    void deletesInOrderUpToTheFirstFileThatIsNeeded() {
        List<ClosedFile> files = put(5);
        firstNeeded = 2;

        assertThat(clean(files, 5)).isCompletedWithValue(2);
        assertThat(numbers()).containsExactly(2L, 3L, 4L);
    }

    @Test
    void neverDeletesTheHighestNumber() {
        List<ClosedFile> files = put(5);

        assertThat(clean(files, 4)).isCompletedWithValue(4);
        assertThat(numbers()).containsExactly(4L);
    }

    @Test
    void stopsAtADeletionThatIsNotConfirmed() {
        List<ClosedFile> files = put(5);
        faulty.next(StoreOperation.DELETE, PATH.file(1)::equals, StoreFault.TIMEOUT_NEVER);

        assertThat(clean(files, 5)).isCompletedExceptionally();
        assertThat(numbers()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(clean(files, 5)).isCompletedWithValue(5);
    }

    private CompletableFuture<Integer> clean(List<ClosedFile> files, long highest) {
        CompletableFuture<Integer> cleaned = cleaner.clean(PATH, files, highest);
        simulation.runFor(20_000);
        return cleaned;
    }

    private List<ClosedFile> put(int count) {
        List<ClosedFile> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            var put = store.putIfAbsent(PATH.file(i), ByteBuffer.allocate(10));
            simulation.runFor(50);
            assertThat(put).isCompleted();
            files.add(new ClosedFile(i, PATH.file(i), 10, List.of(1024)));
        }
        return files;
    }

    private List<Long> numbers() {
        return faulty.snapshot().keySet().stream()
                .map(key -> PATH.numberOf(key).orElseThrow())
                .toList();
    }
}
