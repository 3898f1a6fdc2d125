package io.forebay.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import java.io.BufferedReader;
import java.io.File;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.junit.jupiter.api.Test;

/** Whoever was sealed away acknowledges nothing that the end does not hold. */
class HdfsFencingTest {

    private static final ObjectKey FILE = ObjectKey.of("j/0");
    private static final ObjectKey TOMBSTONE = ObjectKey.of("j/1");

    /** A whole process is stopped in the middle of its flushes, sealed, and goes on. */
    @Test
    void processThatWasPausedWhileItsFileWasSealedAcknowledgesNothingMore() throws Exception {
        URI uri = MiniHdfs.uri(MiniHdfs.freshFolder());
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(uri, Map.of())) {
            Process writer = new ProcessBuilder(
                            new File(System.getProperty("java.home"), "bin/java").getPath(),
                            "-Xmx128m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            PausedWriter.class.getName(),
                            uri.toString(),
                            FILE.value(),
                            TOMBSTONE.value())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader lines = writer.inputReader(StandardCharsets.UTF_8)) {
                long seen = 0;
                while (seen < 800) {
                    seen = acknowledged(Objects.requireNonNull(lines.readLine(), "the writer ended early"));
                }
                signal(writer, "STOP");

                assertThat(await(opened.store().putIfAbsent(TOMBSTONE, ByteBuffer.allocate(1))))
                        .isEqualTo(PutOutcome.WRITTEN);
                long end = await(opened.store().seal(FILE));
                signal(writer, "CONT");

                List<String> after = new ArrayList<>();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    after.add(line);
                }
                assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
                String last = after.remove(after.size() - 1);
                assertThat(last).isEqualTo(new AppendOutcome.Fenced().toString());
                assertThat(after)
                        .allSatisfy(line -> assertThat(acknowledged(line)).isLessThanOrEqualTo(end));
                assertThat(end).isGreaterThanOrEqualTo(seen);
                assertThat(await(opened.store().seal(FILE))).isEqualTo(end);
                assertThat(contentOf(opened.store(), end)).isEqualTo((int) end);
            } finally {
                writer.destroyForcibly();
            }
        }
    }

    /** Without a tombstone the writer is told that it failed: it may only go on in a file that it has to create. */
    @Test
    void writerOfASealedFileWithoutSuccessorFails() throws Exception {
        URI uri = MiniHdfs.uri(MiniHdfs.freshFolder());
        try (MiniHdfs.Opened writer = new MiniHdfs.Opened(uri, Map.of());
                MiniHdfs.Opened fencer = new MiniHdfs.Opened(uri, Map.of())) {
            Appender appender = create(writer.store());
            assertThat(append(appender, 10)).isEqualTo(new AppendOutcome.Durable(10));

            assertThat(await(fencer.store().seal(FILE))).isEqualTo(10);

            assertThat(append(appender, 10)).isInstanceOf(AppendOutcome.Failed.class);
            assertThat(append(appender, 10)).isInstanceOf(AppendOutcome.Failed.class);
            assertThat(await(fencer.store().seal(FILE))).isEqualTo(10);
        }
    }

    /** Else the client would renew the lease of every file that ever failed, and try to close them all at the end. */
    @Test
    void writerThatFailedLeavesNothingWithTheClient() throws Exception {
        URI uri = MiniHdfs.uri(MiniHdfs.freshFolder());
        try (MiniHdfs.Opened writer = new MiniHdfs.Opened(uri, Map.of());
                MiniHdfs.Opened fencer = new MiniHdfs.Opened(uri, Map.of())) {
            DFSClient client = ((HdfsStore) writer.store()).folder().client();
            Appender appender = create(writer.store());
            assertThat(append(appender, 10)).isEqualTo(new AppendOutcome.Durable(10));
            assertThat(client.getNumOfFilesBeingWritten()).isEqualTo(1);
            assertThat(await(fencer.store().seal(FILE))).isEqualTo(10);

            assertThat(append(appender, 10)).isInstanceOf(AppendOutcome.Failed.class);

            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (client.getNumOfFilesBeingWritten() > 0 && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertThat(client.getNumOfFilesBeingWritten()).isZero();
        }
    }

    @Test
    void openFileIsReadUpToWhatWasAcknowledgedWhateverTheNameNodeSays() throws Exception {
        String folder = MiniHdfs.freshFolder();
        URI uri = MiniHdfs.uri(folder);
        try (MiniHdfs.Opened writer = new MiniHdfs.Opened(uri, Map.of());
                MiniHdfs.Opened reader = new MiniHdfs.Opened(uri, Map.of())) {
            Appender appender = create(writer.store());
            for (int n = 1; n <= 5; n++) {
                assertThat(append(appender, 1_000)).isEqualTo(new AppendOutcome.Durable(n * 1_000L));

                ByteBuffer all = ByteBuffer.allocateDirect(10_000);
                assertThat(await(reader.store().read(FILE, 0, all))).isEqualTo(n * 1_000);
                ByteBuffer piece = ByteBuffer.allocate(100);
                assertThat(await(reader.store().readPieces(FILE, List.of(new Store.Piece(n * 1_000L - 100, piece)))))
                        .isEqualTo(100);
            }
            long told = MiniHdfs.cluster()
                    .getFileSystem()
                    .getFileStatus(new Path(folder + "/j/0"))
                    .getLen();
            assertThat(told).isLessThan(5_000);
        }
    }

    @Test
    void fileOfSeveralBlocksIsWrittenSealedAndRead() throws Exception {
        URI uri = MiniHdfs.uri(MiniHdfs.freshFolder());
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(uri, Map.of("store.hdfs.block.bytes", "1048576"))) {
            Appender appender = create(opened.store());
            int acknowledged = 0;
            for (int n = 1; n <= 5; n++) {
                AppendOutcome outcome = append(appender, 700_000);
                assertThat(outcome).isEqualTo(new AppendOutcome.Durable(n * 700_000L));
                acknowledged = n * 700_000;
            }

            assertThat(await(opened.store().seal(FILE))).isEqualTo(acknowledged);

            assertThat(contentOf(opened.store(), acknowledged + 1)).isEqualTo(acknowledged);
        }
    }

    private static int contentOf(Store store, long atMost) throws Exception {
        return await(store.read(FILE, 0, ByteBuffer.allocate((int) atMost)));
    }

    private static Appender create(Store store) throws Exception {
        return ((CreateOutcome.Created) await(store.createAppender(FILE, TOMBSTONE))).appender();
    }

    private static AppendOutcome append(Appender appender, int bytes) throws Exception {
        return await(appender.append(List.of(ByteBuffer.allocate(bytes))));
    }

    private static long acknowledged(String line) {
        assertThat(line).startsWith("acknowledged ");
        return Long.parseLong(line.substring("acknowledged ".length()));
    }

    private static void signal(Process process, String name) throws Exception {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(code).isZero();
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return Objects.requireNonNull(future.get(60, TimeUnit.SECONDS));
    }
}
