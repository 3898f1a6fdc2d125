package io.forebay.log.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.cache.CacheConfig;
import io.forebay.log.cache.PageCache;
import io.forebay.log.cache.WatchedStore;
import io.forebay.log.journal.JournalPath;
import io.forebay.model.ByteRun;
import io.forebay.model.Clock;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.Store;
import io.forebay.store.local.LocalStoreProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // set before each test
class OwnFileReaderTest {

    private static final int BATCH = 20_000;
    private static final JournalFile FILE = new JournalFile(JournalPath.ofSession(1, 0), 0);
    private static final JournalFile NEXT = new JournalFile(JournalPath.ofSession(1, 0), 1);

    @TempDir
    Path folder;

    private Store store;
    private WatchedStore watched;
    private OwnFileReader reader;
    private final FrameIndex frames = new FrameIndex();

    @BeforeEach
    void writeAFile() {
        Map<String, String> settings = Map.of("store.local.reserve.bytes", "0");
        store = new LocalStoreProvider()
                .open(folder.resolve("store").toUri(), settings, Runnable::run, new FixedClock());
        watched = new WatchedStore(store);
        reader = new OwnFileReader(new PageCache(watched, CacheConfig.DEFAULT), frames);
        CreateOutcome created = store.createAppender(FILE.key(), NEXT.key()).join();
        Appender appender = ((CreateOutcome.Created) created).appender();
        for (int i = 0; i < 4; i++) {
            frames.add(10L * i, 10, FILE, 100 + i * (BATCH + 50), BATCH, 0);
        }
        frames.add(40, 10, FILE, 99_000, 100, 0);
        frames.add(50, 10, NEXT, 0, BATCH, 0);
        ByteBuffer content = ByteBuffer.allocate(100_000);
        for (int i = 0; i < content.capacity(); i++) {
            content.put(i, content(i));
        }
        appender.append(List.of(content)).join();
        appender.close().join();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void batchesOfAnOwnFileLeaveAsTheyLieInIt() throws IOException {
        assertThat(reader.read(5, 60, 3 * BATCH, true))
                .as("a file that nobody opened yet")
                .isNull();
        openIt();

        ByteRun run = Objects.requireNonNull(reader.read(15, 60, 2 * BATCH, true));

        assertThat(run.inFile()).isTrue();
        assertThat(run.sizeBytes()).isEqualTo(2 * BATCH);
        assertThat(run.ranges())
                .extracting(ByteRun.FileRange::position)
                .containsExactly(100L + BATCH + 50, 100L + 2 * (BATCH + 50));
        assertThat(run.copy().get(0)).isEqualTo(content(100 + BATCH + 50));
        run.release();
    }

    @Test
    void readerGetsWhatItsLimitsAllowOfOneFile() throws IOException {
        openIt();

        assertThat(bytes(reader.read(0, 60, 10 * BATCH, true)))
                .as("up to where batches become small")
                .isEqualTo(4 * BATCH);
        assertThat(bytes(reader.read(0, 25, 10 * BATCH, true)))
                .as("up to the limit")
                .isEqualTo(2 * BATCH);
        assertThat(bytes(reader.read(0, 60, 10, true))).as("at least one").isEqualTo(BATCH);
        assertThat(reader.read(0, 60, 10, false)).as("nothing fits").isSameAs(ByteRun.EMPTY);
        assertThat(reader.read(40, 60, 10 * BATCH, true)).as("a small batch").isNull();
        assertThat(reader.read(50, 60, 10 * BATCH, true))
                .as("a file still written")
                .isNull();
        assertThat(reader.read(60, 70, 10 * BATCH, true)).as("behind the end").isNull();
    }

    @Test
    void whatHasLeftMemoryIsReadAndCheckedBySomebodyWhoMayWait() throws IOException {
        openIt();
        watched.evictFrom(100 + 2 * (BATCH + 50));

        assertThat(bytes(reader.read(0, 60, 10 * BATCH, true)))
                .as("up to where it is in memory")
                .isEqualTo(2 * BATCH);
        assertThat(reader.read(20, 60, 10 * BATCH, true)).isNull();
    }

    @Test
    void fileThatSomebodyTouchedIsReadAndChecked() throws IOException {
        openIt();
        Path file = folder.resolve("store").resolve(FILE.key().value());
        try (FileChannel bytes = FileChannel.open(file, StandardOpenOption.WRITE)) {
            bytes.write(ByteBuffer.wrap(new byte[] {1}), 500);
        }

        assertThat(reader.read(0, 60, 10 * BATCH, true)).isNull();
    }

    private static byte content(int position) {
        return (byte) ((position * 31) >> 3);
    }

    private void openIt() {
        assertThat(store.read(FILE.key(), 0, ByteBuffer.allocate(1)).join()).isEqualTo(1);
    }

    private static int bytes(@Nullable ByteRun found) {
        ByteRun run = Objects.requireNonNull(found);
        run.release();
        return run.sizeBytes();
    }

    private static final class FixedClock implements Clock {
        @Override
        public long wallMs() {
            return 1;
        }

        @Override
        public long nanos() {
            return 1;
        }
    }
}
