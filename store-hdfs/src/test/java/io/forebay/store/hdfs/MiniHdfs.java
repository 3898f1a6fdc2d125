package io.forebay.store.hdfs;

import io.forebay.store.Store;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreProvider;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * A NameNode and three DataNodes of Apache Hadoop inside the test's JVM, on loopback, shared by all tests of this room. Ends with the
 * JVM. A test that ends a DataNode brings it back.
 */
final class MiniHdfs {

    static final int DATA_NODES = 3;

    private static final AtomicInteger FOLDERS = new AtomicInteger();

    @SuppressWarnings("NullAway.Init") // made at the first use
    private static MiniDFSCluster cluster;

    private MiniHdfs() {}

    static synchronized MiniDFSCluster cluster() throws IOException {
        if (cluster == null) {
            Path folder = Files.createTempDirectory("mini-hdfs");
            Configuration settings = new HdfsConfiguration();
            settings.set("dfs.namenode.fs-limits.min-block-size", "4096");
            // Block recoveries travel with heartbeats.
            settings.set("dfs.heartbeat.interval", "100ms");
            settings.set("dfs.namenode.heartbeat.recheck-interval", "2000");
            settings.set("dfs.namenode.redundancy.considerLoad", "false");
            settings.set("dfs.namenode.safemode.extension", "0");
            settings.set("dfs.datanode.handler.count", "4");
            settings.set("dfs.namenode.handler.count", "8");
            // Nothing in here survives a power loss, and need not.
            settings.set("dfs.namenode.edits.noeditlogchannelflush", "true");
            cluster = new MiniDFSCluster.Builder(settings, folder.toFile())
                    .numDataNodes(DATA_NODES)
                    .build();
            cluster.waitActive();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                cluster.shutdown(false);
                delete(folder.toFile());
            }));
        }
        return cluster;
    }

    static String freshFolder() {
        return "/stores/" + FOLDERS.incrementAndGet();
    }

    /** The URI of a folder in the shared cluster. */
    static URI uri(String folder) throws IOException {
        return URI.create("hdfs://127.0.0.1:" + cluster().getNameNodePort() + folder);
    }

    /** Ends a DataNode and starts it again at the end of the test. */
    static AutoCloseable without(int dataNode) throws IOException {
        MiniDFSCluster.DataNodeProperties stopped = cluster().stopDataNode(dataNode);
        return () -> {
            cluster().restartDataNode(stopped, true);
            cluster().waitActive();
        };
    }

    /** A store with threads of its own. */
    static final class Opened implements AutoCloseable {
        private final ExecutorService io = Executors.newFixedThreadPool(4);
        private final TestLoop timers = new TestLoop();
        private final Store store;

        Opened(URI uri, Map<String, String> settings) {
            StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(p -> p.scheme().equals("hdfs"))
                    .findAny()
                    .orElseThrow();
            Map<String, String> all = new HashMap<>();
            all.put("store.hdfs.block.bytes", Integer.toString(16 << 20));
            all.putAll(settings);
            try {
                store = provider.open(
                        uri, all, new StorePorts(io, timers, TestLoop.CLOCK, new SplittableRandom(System.nanoTime())));
            } catch (RuntimeException failed) {
                end();
                throw failed;
            }
        }

        Store store() {
            return store;
        }

        @Override
        public void close() {
            store.close();
            end();
        }

        private void end() {
            io.shutdown();
            timers.close();
        }
    }

    private static void delete(File file) {
        File[] inside = file.listFiles();
        if (inside != null) {
            for (File each : inside) {
                delete(each);
            }
        }
        boolean unused = file.delete();
    }
}
