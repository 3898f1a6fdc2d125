package io.forebay.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

/** Objects that the NameNode keeps. */
class HdfsSmallObjectsTest {

    private static final ObjectKey SMALL = ObjectKey.of("s/small");
    private static final ObjectKey LARGE = ObjectKey.of("s/large");

    @Test
    void objectUpToTheLimitHasNoBlockAndItsLengthIsListed() throws Exception {
        String folder = MiniHdfs.freshFolder();
        try (MiniHdfs.Opened opened =
                new MiniHdfs.Opened(MiniHdfs.uri(folder), Map.of("store.hdfs.small.bytes", "100"))) {
            Store store = opened.store();
            assertThat(put(store, SMALL, bytes(100, 1))).isEqualTo(PutOutcome.WRITTEN);
            assertThat(put(store, LARGE, bytes(101, 2))).isEqualTo(PutOutcome.WRITTEN);

            assertThat(await(store.list("s/", "", 10)))
                    .containsExactly(new ObjectStat(LARGE, 101), new ObjectStat(SMALL, 100));
            assertThat(read(store, SMALL, 0, 200)).isEqualTo(bytes(100, 1));
            assertThat(read(store, SMALL, 90, 5)).isEqualTo(bytes(5, 1));
            assertThat(read(store, SMALL, 100, 5).remaining()).isZero();
            assertThat(read(store, SMALL, 5_000_000_000L, 5).remaining()).isZero();
            assertThat(await(store.seal(SMALL))).isEqualTo(100);
            assertThat(await(store.seal(LARGE))).isEqualTo(101);
            assertThat(length(folder + "/s/small")).isZero();
            assertThat(length(folder + "/s/large")).isEqualTo(101);
        }
    }

    @Test
    void nameIsGivenOnceWhateverTheSizes() throws Exception {
        try (MiniHdfs.Opened opened =
                new MiniHdfs.Opened(MiniHdfs.uri(MiniHdfs.freshFolder()), Map.of("store.hdfs.small.bytes", "100"))) {
            Store store = opened.store();
            assertThat(put(store, SMALL, bytes(10, 1))).isEqualTo(PutOutcome.WRITTEN);
            assertThat(put(store, LARGE, bytes(1_000, 1))).isEqualTo(PutOutcome.WRITTEN);

            for (int size : new int[] {0, 10, 1_000}) {
                assertThat(put(store, SMALL, bytes(size, 2))).isEqualTo(PutOutcome.ALREADY_EXISTS);
                assertThat(put(store, LARGE, bytes(size, 2))).isEqualTo(PutOutcome.ALREADY_EXISTS);
            }

            assertThat(read(store, SMALL, 0, 200)).isEqualTo(bytes(10, 1));
            assertThat(read(store, LARGE, 0, 2_000)).isEqualTo(bytes(1_000, 1));
        }
    }

    /** Names are free again after a delete, and another process may have the old object in mind. */
    @Test
    void objectThatIsMadeAnewIsReadAnew() throws Exception {
        URI uri = MiniHdfs.uri(MiniHdfs.freshFolder());
        try (MiniHdfs.Opened one = new MiniHdfs.Opened(uri, Map.of());
                MiniHdfs.Opened other = new MiniHdfs.Opened(uri, Map.of())) {
            for (int turn = 1; turn <= 4; turn++) {
                int size = turn % 2 == 0 ? 100_000 : 100;
                assertThat(put(one.store(), SMALL, bytes(size, turn))).isEqualTo(PutOutcome.WRITTEN);
                assertThat(read(other.store(), SMALL, 0, size + 1)).isEqualTo(bytes(size, turn));
                if (size > 100) {
                    await(other.store().delete(SMALL));
                } else {
                    await(one.store().delete(SMALL));
                }
            }
        }
    }

    /** A folder of an earlier version is shared with nodes that know blocks only. */
    @Test
    void folderOfVersionOneGetsNone() throws Exception {
        String folder = MiniHdfs.freshFolder();
        try (FSDataOutputStream out = hdfs().create(new Path(folder + "/.forebay/format"))) {
            out.write("forebay hdfs store\nversion 1\n".getBytes(StandardCharsets.US_ASCII));
        }
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(MiniHdfs.uri(folder), Map.of())) {
            assertThat(put(opened.store(), SMALL, bytes(10, 1))).isEqualTo(PutOutcome.WRITTEN);
            assertThat(read(opened.store(), SMALL, 0, 20)).isEqualTo(bytes(10, 1));
        }
        assertThat(length(folder + "/s/small")).isEqualTo(10);
    }

    @Test
    void nameNodeThatTakesNoAttributeGetsABlock() throws Exception {
        String folder = MiniHdfs.freshFolder();
        try (MiniHdfs.Opened opened = new MiniHdfs.Opened(MiniHdfs.uri(folder), Map.of())) {
            // No setting of a running NameNode turns attributes off; one that is too large is refused with the same
            // kind of error.
            HdfsStore store = (HdfsStore) opened.store();
            SmallObjects small = new SmallObjects(store.folder(), true);
            assertThat(small.takes(10)).isTrue();

            assertThat(small.make(folder + "/.forebay/tmp/large", ByteBuffer.allocate(20_000)))
                    .isNull();

            assertThat(small.takes(10)).isFalse();
        }
    }

    private static DistributedFileSystem hdfs() throws IOException {
        return MiniHdfs.cluster().getFileSystem();
    }

    private static long length(String path) throws IOException {
        FileStatus status = hdfs().getFileStatus(new Path(path));
        return status.getLen();
    }

    private static PutOutcome put(Store store, ObjectKey key, ByteBuffer content) throws Exception {
        return await(store.putIfAbsent(key, content));
    }

    private static ByteBuffer read(Store store, ObjectKey key, long position, int most) throws Exception {
        ByteBuffer read = ByteBuffer.allocate(most);
        assertThat(await(store.read(key, position, read))).isEqualTo(read.position());
        return read.flip();
    }

    private static ByteBuffer bytes(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return ByteBuffer.wrap(bytes);
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }
}
