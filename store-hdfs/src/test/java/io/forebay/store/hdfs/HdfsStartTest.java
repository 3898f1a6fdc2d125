package io.forebay.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedAction;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening a store: what is refused, with which advice, and what is cleaned up. */
@SuppressWarnings("try") // some are opened to be closed again, no more
class HdfsStartTest {

    private static final ObjectKey KEY = ObjectKey.of("k");

    @Test
    void safeModeIsToldWithWhatEndsIt() throws Exception {
        DistributedFileSystem hdfs = MiniHdfs.cluster().getFileSystem();
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(MiniHdfs.uri(MiniHdfs.freshFolder()), Map.of())) {
            assertThat(put(opened.store())).isEqualTo(PutOutcome.WRITTEN);
            assertThat(hdfs.setSafeMode(SafeModeAction.ENTER)).isTrue();
            try {
                StoreException put = failure(opened.store().putIfAbsent(ObjectKey.of("k2"), ByteBuffer.allocate(1)));
                StoreException create = failure(opened.store().createAppender(ObjectKey.of("j"), KEY));

                assertThat(put.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);
                assertThat(put).hasMessageContaining("safe mode").hasMessageContaining("-safemode leave");
                assertThat(create.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);
                assertThat(opened.store().read(KEY, 0, ByteBuffer.allocate(9)).get())
                        .isEqualTo(1);
                StoreException open = refused(MiniHdfs.uri(MiniHdfs.freshFolder()), Map.of());
                assertThat(open).hasMessageContaining("safe mode");
            } finally {
                assertThat(hdfs.setSafeMode(SafeModeAction.LEAVE)).isFalse();
            }
            assertThat(opened.store()
                            .putIfAbsent(ObjectKey.of("k2"), ByteBuffer.allocate(1))
                            .get())
                    .isEqualTo(PutOutcome.WRITTEN);
        }
    }

    @Test
    void wrongAddressesAreToldWithinSeconds() throws Exception {
        int webPort = URI.create("http://"
                        + Objects.requireNonNull(
                                        MiniHdfs.cluster().getNameNode().getHttpAddress())
                                .getHostString()
                        + ":"
                        + MiniHdfs.cluster().getNameNode().getHttpAddress().getPort())
                .getPort();
        int nobody;
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody = socket.getLocalPort();
        }
        long from = System.nanoTime();

        StoreException web = refused(URI.create("hdfs://127.0.0.1:" + webPort + "/x"), Map.of());
        StoreException none = refused(URI.create("hdfs://127.0.0.1:" + nobody + "/x"), Map.of());
        StoreException unknown = refused(URI.create("hdfs://no-such-service/x"), Map.of());

        assertThat(System.nanoTime() - from).isLessThan(30_000_000_000L);
        assertThat(web.kind()).isEqualTo(StoreException.Kind.INVALID);
        assertThat(web).hasMessageContaining("no NameNode").hasMessageContaining("dfs.namenode.rpc-address");
        assertThat(none.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);
        assertThat(none).hasMessageContaining("is the NameNode running");
        assertThat(unknown).hasMessageContaining("store.hdfs.conf");
    }

    @Test
    void userWithoutPermissionIsToldToWhomTheFolderMustBelong() throws Exception {
        String folder = MiniHdfs.freshFolder();
        URI uri = MiniHdfs.uri(folder);
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(uri, Map.of())) {
            assertThat(put(opened.store())).isEqualTo(PutOutcome.WRITTEN);
        }
        URI fresh = MiniHdfs.uri(MiniHdfs.freshFolder());

        StoreException refused = UserGroupInformation.createRemoteUser("stranger")
                .doAs((PrivilegedAction<StoreException>) () -> refused(fresh, Map.of()));

        assertThat(refused.kind()).isEqualTo(StoreException.Kind.INVALID);
        assertThat(refused).hasMessageContaining("stranger").hasMessageContaining("-chown");
    }

    @Test
    void folderOfSomebodyElseOrOfANewerVersionIsRefused() throws Exception {
        String foreign = MiniHdfs.freshFolder();
        write(foreign + "/data.csv", "1,2");
        String newer = MiniHdfs.freshFolder();
        write(newer + "/.forebay/format", "forebay hdfs store\nversion 3\n");
        String damaged = MiniHdfs.freshFolder();
        write(damaged + "/.forebay/format", "forebay");

        assertThat(refused(MiniHdfs.uri(foreign), Map.of())).hasMessageContaining("holds other things");
        assertThat(refused(MiniHdfs.uri(newer), Map.of())).hasMessageContaining("use a newer one");
        assertThat(refused(MiniHdfs.uri(damaged), Map.of())).hasMessageContaining("damaged");
        assertThat(refused(MiniHdfs.uri(foreign + "/data.csv"), Map.of())).hasMessageContaining("is a file");
    }

    @Test
    void nameServiceIsFoundInTheFilesOfAFolder(@TempDir java.nio.file.Path site) throws Exception {
        String address = "127.0.0.1:" + MiniHdfs.cluster().getNameNodePort();
        Files.writeString(
                site.resolve("hdfs-site.xml"),
                xml(Map.of(
                        "dfs.nameservices", "river",
                        "dfs.ha.namenodes.river", "nn1",
                        "dfs.namenode.rpc-address.river.nn1", address,
                        "dfs.client.failover.proxy.provider.river",
                                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider",
                        "dfs.replication", "2")));
        String folder = MiniHdfs.freshFolder();

        try (MiniHdfs.Opened byQuery =
                new MiniHdfs.Opened(URI.create("hdfs://river" + folder + "?conf=" + site), Map.of())) {
            assertThat(put(byQuery.store())).isEqualTo(PutOutcome.WRITTEN);
        }
        try (MiniHdfs.Opened bySetting =
                new MiniHdfs.Opened(URI.create("hdfs://river" + folder), Map.of("store.hdfs.conf", site.toString()))) {
            assertThat(put(bySetting.store())).isEqualTo(PutOutcome.ALREADY_EXISTS);
        }
        assertThat(MiniHdfs.cluster()
                        .getFileSystem()
                        .getFileStatus(new Path(folder + "/k"))
                        .getReplication())
                .isEqualTo((short) 2);
        assertThat(refused(URI.create("hdfs://river/x?conf=" + site.resolve("none")), Map.of()))
                .hasMessageContaining("neither core-site.xml nor hdfs-site.xml");
    }

    @Test
    void settingsAndUrisThatMakeNoSenseAreRefused() {
        for (String uri : new String[] {"hdfs:/folder", "hdfs://h:1", "hdfs://h:1/", "hdfs://h:1/x?site=y", "hdfs:x"}) {
            assertThat(refused(URI.create(uri), Map.of()).kind()).as(uri).isEqualTo(StoreException.Kind.INVALID);
        }
        Map<String, String> bad = Map.of(
                "store.hdfs.sync", "never",
                "store.hdfs.min.datanodes", "0",
                "store.hdfs.replication", "1",
                "store.hdfs.block.bytes", "1000",
                "store.hdfs.small.bytes", "16001",
                "store.hdfs.open.files", "x",
                "store.hdfs.flush.timeout.ms", "0");
        bad.forEach((name, value) -> assertThat(refused(URI.create("hdfs://h:1/x"), Map.of(name, value)))
                .hasMessageContaining("'" + value + "' for '" + name + "'"));
    }

    @Test
    void temporariesOfDeadProcessesAreRemovedWhenTheyAreOld() throws Exception {
        String folder = MiniHdfs.freshFolder();
        DistributedFileSystem hdfs = MiniHdfs.cluster().getFileSystem();
        URI uri = MiniHdfs.uri(folder);
        try (MiniHdfs.Opened first = new MiniHdfs.Opened(uri, Map.of())) {
            assertThat(put(first.store())).isEqualTo(PutOutcome.WRITTEN);
        }
        String old = folder + "/.forebay/tmp/dead/1";
        String fresh = folder + "/.forebay/tmp/fresh/1";
        String open = folder + "/.forebay/tmp/dead/2";
        long longAgo = System.currentTimeMillis() - 7_200_000;
        write(old, "left over");
        write(fresh, "in use");
        try (FSDataOutputStream writing = hdfs.create(new Path(open))) {
            hdfs.setTimes(new Path(old), longAgo, longAgo);
            hdfs.setTimes(new Path(open), longAgo, longAgo);

            try (MiniHdfs.Opened second = new MiniHdfs.Opened(uri, Map.of())) {
                for (int i = 0; i < 500 && hdfs.exists(new Path(old)); i++) {
                    assertThat(second.store().list("", "", 10).get()).hasSize(1);
                }
            }

            assertThat(hdfs.exists(new Path(old))).isFalse();
            assertThat(hdfs.exists(new Path(fresh))).isTrue();
            assertThat(hdfs.exists(new Path(open))).isTrue();
        }
    }

    private static PutOutcome put(Store store) throws Exception {
        return store.putIfAbsent(KEY, ByteBuffer.allocate(1)).get(60, TimeUnit.SECONDS);
    }

    private static StoreException refused(URI uri, Map<String, String> settings) {
        return Objects.requireNonNull(
                catchThrowableOfType(StoreException.class, () -> new MiniHdfs.Opened(uri, settings).close()));
    }

    private static StoreException failure(java.util.concurrent.CompletableFuture<?> future) {
        ExecutionException failed = Objects.requireNonNull(
                catchThrowableOfType(ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS)));
        return (StoreException) Objects.requireNonNull(failed.getCause());
    }

    private static void write(String path, String text) throws IOException {
        try (FSDataOutputStream out = MiniHdfs.cluster().getFileSystem().create(new Path(path))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String xml(Map<String, String> properties) {
        StringBuilder xml = new StringBuilder("<configuration>");
        properties.forEach((name, value) -> xml.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value)
                .append("</value></property>"));
        return xml.append("</configuration>").toString();
    }
}
