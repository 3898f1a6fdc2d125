package io.forebay.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.junit.jupiter.api.Test;

/** DataNodes go away, hang, or are too few. */
@SuppressWarnings("try") // some are opened to be closed again, no more
class HdfsFailureTest {

    private static final ObjectKey FILE = ObjectKey.of("j/0");
    private static final ObjectKey NEXT = ObjectKey.of("j/1");
    private static final ObjectKey AFTER_NEXT = ObjectKey.of("j/2");

    @Test
    void theClientsInsidesAreWhereWeReachForThem() {
        assertThat(StreamInsides.complete()).isTrue();
    }

    @Test
    void fileThatLosesADataNodeGivesWayToOneOnThoseThatAreLeft() throws Exception {
        String folder = MiniHdfs.freshFolder();
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(MiniHdfs.uri(folder), Map.of())) {
            Store store = opened.store();
            Appender first = create(store, FILE, NEXT);
            assertThat(append(first, 100)).isEqualTo(new AppendOutcome.Durable(100));
            long acknowledged = 100;
            boolean failed = false;

            try (AutoCloseable back = MiniHdfs.without(0)) {
                for (int n = 0; n < 50 && !failed; n++) {
                    AppendOutcome outcome = append(first, 100);
                    if (outcome instanceof AppendOutcome.Durable durable) {
                        acknowledged = durable.endPosition();
                    } else {
                        assertThat(outcome).isInstanceOf(AppendOutcome.Failed.class);
                        failed = true;
                    }
                }
                assertThat(failed).as("a file that lost a DataNode ends").isTrue();

                Appender second = create(store, NEXT, AFTER_NEXT);
                assertThat(append(second, 100)).isEqualTo(new AppendOutcome.Durable(100));
                assertThat(append(second, 100)).isEqualTo(new AppendOutcome.Durable(200));
                assertThat(holders(folder + "/j/1")).hasSize(MiniHdfs.DATA_NODES - 1);
                assertThat(await(store.putIfAbsent(ObjectKey.of("k"), ByteBuffer.allocate(10))))
                        .isEqualTo(PutOutcome.WRITTEN);

                assertThat(await(store.seal(FILE))).isGreaterThanOrEqualTo(acknowledged);
                assertThat(await(store.seal(NEXT))).isEqualTo(200);
                assertThat(await(store.read(FILE, 0, ByteBuffer.allocate(100_000))))
                        .isGreaterThanOrEqualTo((int) acknowledged);
            }
        }
    }

    /** As after a power loss: whoever fences a dead writer looks into its last file before it seals it. */
    @Test
    void openFileIsReadAfterAllOfItsDataNodesWereRestarted() throws Exception {
        URI uri = MiniHdfs.uri(MiniHdfs.freshFolder());
        try (MiniHdfs.Opened writer = new MiniHdfs.Opened(uri, Map.of());
                MiniHdfs.Opened other = new MiniHdfs.Opened(uri, Map.of())) {
            Appender appender = create(writer.store(), FILE, NEXT);
            assertThat(append(appender, 100)).isEqualTo(new AppendOutcome.Durable(100));
            for (int i = 0; i < MiniHdfs.DATA_NODES; i++) {
                // Always the first: a stopped one comes back at the end of the list.
                MiniHdfs.without(0).close();
            }

            assertThat(await(other.store().read(FILE, 0, ByteBuffer.allocate(1_000))))
                    .isEqualTo(100);

            assertThat(append(appender, 100)).isInstanceOf(AppendOutcome.Failed.class);
            assertThat(await(other.store().seal(FILE))).isEqualTo(100);
        }
    }

    @Test
    void flushThatTooFewDataNodesHoldIsNotAcknowledged() throws Exception {
        try (AutoCloseable back = MiniHdfs.without(0);
                MiniHdfs.Opened opened = new MiniHdfs.Opened(
                        MiniHdfs.uri(MiniHdfs.freshFolder()),
                        Map.of("store.hdfs.min.datanodes", "2", "store.hdfs.replication", "2"))) {
            Store store = opened.store();
            Appender first = create(store, FILE, NEXT);
            assertThat(append(first, 10)).isEqualTo(new AppendOutcome.Durable(10));

            try (AutoCloseable second = MiniHdfs.without(0)) {
                AppendOutcome outcome = append(first, 10);

                assertThat(outcome).isInstanceOf(AppendOutcome.Failed.class);
                assertThat(((AppendOutcome.Failed) outcome).cause()).hasMessageContaining("store.hdfs.min.datanodes");
            }
            assertThat(await(store.seal(FILE))).isGreaterThanOrEqualTo(10);
        }
    }

    @Test
    void flushOnADataNodeThatHangsFailsInTimeAndTheNextFileIsWritten() throws Exception {
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(
                MiniHdfs.uri(MiniHdfs.freshFolder()), Map.of("store.hdfs.flush.timeout.ms", "500"))) {
            Store store = opened.store();
            Appender first = create(store, FILE, NEXT);
            assertThat(append(first, 10)).isEqualTo(new AppendOutcome.Durable(10));
            CountDownLatch goOn = new CountDownLatch(1);
            AtomicBoolean hung = new AtomicBoolean();
            DataNodeFaultInjector before = DataNodeFaultInjector.get();
            DataNodeFaultInjector.set(new DataNodeFaultInjector() {
                @Override
                public void stopSendingPacketDownstream(String mirror) {
                    if (hung.compareAndSet(false, true)) {
                        try {
                            boolean unused = goOn.await(30, TimeUnit.SECONDS);
                        } catch (InterruptedException stopped) {
                            Thread.currentThread().interrupt();
                        }
                    }
                }
            });
            try {
                long from = System.nanoTime();
                AppendOutcome outcome = append(first, 10);
                long tookMs = (System.nanoTime() - from) / 1_000_000;

                assertThat(outcome).isInstanceOf(AppendOutcome.Failed.class);
                assertThat(((AppendOutcome.Failed) outcome).cause()).hasMessageContaining("within 500 ms");
                assertThat(tookMs).isBetween(400L, 3_000L);
                assertThat(Thread.interrupted()).isFalse();
                assertThat(append(create(store, NEXT, AFTER_NEXT), 10)).isEqualTo(new AppendOutcome.Durable(10));
            } finally {
                goOn.countDown();
                DataNodeFaultInjector.set(before);
            }
            assertThat(await(store.seal(FILE))).isBetween(10L, 20L);
        }
    }

    @Test
    void suspectedDataNodesAreLeftOutOfNewFilesWhileEnoughOthersAreThere() throws Exception {
        String folder = MiniHdfs.freshFolder();
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(MiniHdfs.uri(folder), Map.of())) {
            HdfsStore store = (HdfsStore) opened.store();
            DatanodeInfo[] all = MiniHdfs.cluster().getFileSystem().getDataNodeStats();
            assertThat(all).hasSize(MiniHdfs.DATA_NODES);
            store.folder().suspects().add(List.of(all[1]));

            Appender without = create(store, FILE, NEXT);
            assertThat(append(without, 10)).isEqualTo(new AppendOutcome.Durable(10));

            assertThat(holders(folder + "/j/0")).containsExactlyInAnyOrder(all[0].getXferAddr(), all[2].getXferAddr());
            // Now two of three: whoever was suspected first is used again, by puts within the same call.
            store.folder().suspects().add(List.of(all[2]));
            assertThat(append(create(store, NEXT, AFTER_NEXT), 10)).isInstanceOf(AppendOutcome.Failed.class);
            assertThat(append(create(store, AFTER_NEXT, ObjectKey.of("j/3")), 10))
                    .isEqualTo(new AppendOutcome.Durable(10));
            assertThat(holders(folder + "/j/2")).containsExactlyInAnyOrder(all[0].getXferAddr(), all[1].getXferAddr());
            store.folder().suspects().add(Arrays.asList(all));
            assertThat(await(store.putIfAbsent(ObjectKey.of("k"), ByteBuffer.allocate(10))))
                    .isEqualTo(PutOutcome.WRITTEN);
        }
    }

    @Test
    void dataNodesThatDoNotAnswerAreFoundOut() throws Exception {
        String folder = MiniHdfs.freshFolder();
        MiniDFSCluster cluster = MiniHdfs.cluster();
        Path file = new Path(folder + "/file");
        try (FSDataOutputStream out = cluster.getFileSystem().create(file)) {
            out.write(new byte[1_000]);
        }
        LocatedBlock block = cluster.getFileSystem()
                .getClient()
                .getLocatedBlocks(file.toString(), 0)
                .get(0);
        InetSocketAddress ended = cluster.getDataNodes().get(0).getXferAddress();
        ExecutorService io = Executors.newFixedThreadPool(3);
        try (AutoCloseable back = MiniHdfs.without(0)) {
            List<DatanodeInfo> silent =
                    PipelineProbe.silent(block, cluster.getFileSystem().getConf(), io);

            assertThat(silent).extracting(DatanodeInfo::getXferPort).containsExactly(ended.getPort());
        } finally {
            io.shutdown();
        }
    }

    private static List<String> holders(String path) throws Exception {
        return Arrays.stream(MiniHdfs.cluster()
                        .getFileSystem()
                        .getClient()
                        .getLocatedBlocks(path, 0)
                        .get(0)
                        .getLocations())
                .map(DatanodeInfo::getXferAddr)
                .toList();
    }

    private static Appender create(Store store, ObjectKey key, ObjectKey successor) throws Exception {
        return ((CreateOutcome.Created) await(store.createAppender(key, successor))).appender();
    }

    private static AppendOutcome append(Appender appender, int bytes) throws Exception {
        return await(appender.append(List.of(ByteBuffer.allocate(bytes))));
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return Objects.requireNonNull(future.get(60, TimeUnit.SECONDS));
    }
}
