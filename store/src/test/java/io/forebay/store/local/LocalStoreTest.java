package io.forebay.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.model.SharedFile;
import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.PutOutcome;
import io.forebay.store.StoreException;
import io.forebay.store.StoreSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreTest {

    private static final ObjectKey FILE = ObjectKey.of("j/0");
    private static final ObjectKey NEXT = ObjectKey.of("j/1");

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path temporary;

    private final FailingDisk disk = new FailingDisk();
    private final HandClock clock = new HandClock();
    private final List<LocalStore> opened = new ArrayList<>();

    @AfterEach
    void closeStores() {
        opened.forEach(LocalStore::close);
    }

    @Test
    void tellsTheVolumeItLiesOn() {
        StoreSpace space = open(Map.of()).space().join().orElseThrow();

        assertThat(space.usableBytes()).isBetween(1L, space.totalBytes());
    }

    // ---- errors of the disk

    @Test
    void fileWithAFailedSyncIsNeverWrittenAgain() throws IOException {
        LocalStore store = open(Map.of());
        Appender appender = create(store, FILE, NEXT);
        assertThat(append(appender, "acked")).isEqualTo(new AppendOutcome.Durable(5));
        disk.failingSyncs.set(1);

        assertThat(failed(append(appender, "lost"))).isEqualTo(StoreException.Kind.UNAVAILABLE);
        long size = Files.size(folder().resolve("j/0"));
        assertThat(failed(append(appender, "more"))).isEqualTo(StoreException.Kind.INVALID);

        assertThat(Files.size(folder().resolve("j/0"))).isEqualTo(size);
        assertThat(store.seal(FILE).join()).isEqualTo(5L);
        assertThat(read(store, FILE)).isEqualTo("acked");
    }

    @Test
    void writerThatCannotLookDoesNotAcknowledge() {
        LocalStore store = open(Map.of());
        Appender appender = create(store, FILE, NEXT);
        disk.blindLooks.set(1);

        assertThat(failed(append(appender, "unsure"))).isEqualTo(StoreException.Kind.UNAVAILABLE);
        assertThat(store.seal(FILE).join()).isZero();
    }

    @Test
    void putWhoseFolderCannotBeSyncedHasAnUnknownOutcome() {
        LocalStore store = open(Map.of());
        assertThat(put(store, "a/1", "x")).isEqualTo(PutOutcome.WRITTEN);
        disk.failingFolderSyncs.set(1);
        assertThat(put(store, "a/2", "x")).isEqualTo(PutOutcome.OUTCOME_UNKNOWN);
        assertThat(put(store, "a/2", "x")).isEqualTo(PutOutcome.ALREADY_EXISTS);

        disk.failingFolderSyncs.set(1);
        assertThat(store.createAppender(ObjectKey.of("a/3"), NEXT).join())
                .isInstanceOf(CreateOutcome.OutcomeUnknown.class);
    }

    @Test
    void folderOfSomebodyElseIsMadeDurableUnlessThereIsSomethingInIt() throws IOException {
        LocalStore before = open(Map.of());
        assertThat(put(before, "shard/1/a", "x")).isEqualTo(PutOutcome.WRITTEN);
        before.close();
        Files.createDirectory(folder().resolve("shard/2"));
        LocalStore store = open(Map.of());
        disk.syncedFolders.clear();

        assertThat(put(store, "shard/1/b", "x")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(put(store, "shard/2/a", "x")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(put(store, "shard/2/b", "x")).isEqualTo(PutOutcome.WRITTEN);

        assertThat(disk.syncedFolders)
                .containsExactly(
                        folder().resolve("shard/1"),
                        folder().resolve("shard"),
                        folder().resolve("shard/2"),
                        folder().resolve("shard/2"));
    }

    @Test
    void failedPutLeavesNothing() throws IOException {
        LocalStore store = open(Map.of());
        disk.failingSyncs.set(1);

        assertThat(failure(store.putIfAbsent(ObjectKey.of("a/1"), bytes("x"))))
                .isEqualTo(StoreException.Kind.UNAVAILABLE);

        assertThat(list(store)).isEmpty();
        assertThat(temporaryFiles()).isEmpty();
        assertThat(put(store, "a/1", "y")).isEqualTo(PutOutcome.WRITTEN);
    }

    // ---- files to be passed on

    @Test
    void givesTheFileOfAnObjectThatWasReadAndKeepsItOpen() throws IOException {
        LocalStore store = open(Map.of());
        ObjectKey key = ObjectKey.of("a/1");
        assertThat(put(store, "a/1", "content")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(store.openFile(key)).isEmpty();
        assertThat(read(store, key)).isEqualTo("content");

        SharedFile file = store.openFile(key).orElseThrow();
        store.delete(key).join();
        ByteBuffer bytes = ByteBuffer.allocate(7);
        assertThat(file.channel().read(bytes, 0)).isEqualTo(7);
        file.release();

        assertThat(bytes.flip()).isEqualTo(bytes("content"));
        assertThat(file.channel().isOpen()).isFalse();
        assertThat(store.openFile(key)).isEmpty();
    }

    @Test
    void knowsWhichFilesItWroteWholeAndNobodyTouched() throws IOException {
        LocalStore store = open(Map.of("store.local.unchecked.bytes", "20"));
        Appender appender = create(store, FILE, NEXT);
        append(appender, "0123456789");
        assertThat(own(store, FILE)).as("still growing").isFalse();
        appender.close().join();
        assertThat(own(store, FILE)).as("finished").isTrue();
        assertThat(own(open(folder(), Map.of("store.local.lock.name", "other")), FILE))
                .as("written by another process")
                .isFalse();

        clock.pass(TimeUnit.HOURS.toMillis(1) + 1);
        assertThat(own(store, FILE)).as("long ago").isFalse();
        assertThat(ownNew(store, "j/1")).isTrue();
        assertThat(ownNew(store, "j/2")).isTrue();
        assertThat(ownNew(store, "j/3")).isTrue();
        assertThat(own(store, ObjectKey.of("j/1"))).as("more than 20 bytes ago").isFalse();
        assertThat(own(store, ObjectKey.of("j/2"))).isTrue();

        Files.setLastModifiedTime(folder().resolve("j/2"), FileTime.fromMillis(1));
        assertThat(own(store, ObjectKey.of("j/2"))).as("touched").isFalse();
        store.delete(ObjectKey.of("j/3")).join();
        assertThat(put(store, "j/3", "another")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(own(store, ObjectKey.of("j/3"))).as("another file").isFalse();
    }

    @Test
    void fileWhoseWriterFailedIsNotItsOwn() {
        LocalStore store = open(Map.of());
        Appender appender = create(store, FILE, NEXT);
        append(appender, "acked");
        disk.failingSyncs.set(1);
        append(appender, "lost");
        appender.close().join();

        assertThat(own(store, FILE)).isFalse();
        assertThat(ownNew(open(Map.of("store.local.lock.name", "b", "store.local.unchecked.bytes", "0")), "j/1"))
                .isFalse();
    }

    private static boolean ownNew(LocalStore store, String key) {
        Appender appender = create(store, ObjectKey.of(key), ObjectKey.of(key + "x"));
        append(appender, "0123456789");
        appender.close().join();
        return own(store, ObjectKey.of(key));
    }

    private static boolean own(LocalStore store, ObjectKey key) {
        assertThat(read(store, key)).isNotEmpty();
        SharedFile file = store.openFile(key).orElseThrow();
        boolean inMemory = file.ownInMemory(0, 1);
        file.release();
        assertThat(inMemory).as("a young file lies in memory").isEqualTo(file.own());
        return file.own();
    }

    // ---- a full disk

    @Test
    void fullDiskWithoutReserveIsReportedAndLeavesNoTemporaryFile() throws IOException {
        LocalStore store = open(Map.of("store.local.reserve.bytes", "0"));
        Appender appender = create(store, FILE, NEXT);
        disk.space(10);

        assertThat(failure(store.putIfAbsent(ObjectKey.of("a/1"), bytes("longer than ten bytes"))))
                .isEqualTo(StoreException.Kind.FULL);
        assertThat(temporaryFiles()).isEmpty();
        assertThat(list(store)).containsExactly("j/0");
        assertThat(failed(append(appender, "longer than ten bytes"))).isEqualTo(StoreException.Kind.FULL);
        assertThat(store.diskFull()).isFalse();
        disk.space(1_000);
        assertThat(put(store, "a/1", "longer than ten bytes")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(store.seal(FILE).join()).isBetween(0L, 10L);
    }

    @Test
    void reserveIsFreedForSmallWritesAndMadeAgainLater() throws IOException {
        LocalStore store = open(Map.of("store.local.reserve.bytes", "3000000"));
        Path reserve = folder().resolve(".forebay/nodes/node/reserve");
        assertThat(Files.size(reserve)).isEqualTo(3_000_000);
        Appender appender = create(store, FILE, NEXT);
        assertThat(append(appender, "acked")).isEqualTo(new AppendOutcome.Durable(5));

        disk.space(0);
        freeSpaceWhenDeleted(reserve, 3_000_000);
        assertThat(failed(append(appender, "lost"))).isEqualTo(StoreException.Kind.FULL);
        assertThat(store.diskFull()).isTrue();
        assertThat(reserve).doesNotExist();
        assertThat(put(store, "j/1", "tombstone")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(store.seal(FILE).join()).isEqualTo(5);

        disk.space(Long.MAX_VALUE);
        ByteBuffer big = ByteBuffer.allocate(LocalStore.SMALL_BYTES + 1);
        assertThat(failure(store.putIfAbsent(ObjectKey.of("big"), big))).isEqualTo(StoreException.Kind.FULL);
        Appender later = create(store, ObjectKey.of("k/0"), ObjectKey.of("k/1"));
        assertThat(failed(append(later, "x"))).isEqualTo(StoreException.Kind.FULL);

        clock.pass(2_000);
        assertThat(failure(store.putIfAbsent(ObjectKey.of("big"), big))).isEqualTo(StoreException.Kind.FULL);
        assertThat(Files.size(reserve)).isEqualTo(3_000_000);
        assertThat(store.diskFull()).isFalse();
        assertThat(store.putIfAbsent(ObjectKey.of("big"), big).join()).isEqualTo(PutOutcome.WRITTEN);
    }

    /** Gives the disk what the file held once it is gone, as a real one does. */
    private void freeSpaceWhenDeleted(Path file, long bytes) {
        disk.whenFull(() -> {
            if (Files.notExists(file)) {
                disk.space(bytes);
            }
        });
    }

    // ---- start

    @Test
    void reopenedStoreHasEverything() {
        LocalStore first = open(Map.of());
        assertThat(put(first, "a/1", "x")).isEqualTo(PutOutcome.WRITTEN);
        Appender appender = create(first, FILE, NEXT);
        assertThat(append(appender, "acked")).isEqualTo(new AppendOutcome.Durable(5));
        first.close();
        assertThat(append(appender, "late")).isInstanceOf(AppendOutcome.Failed.class);
        assertThat(failure(first.seal(FILE))).isEqualTo(StoreException.Kind.INVALID);

        LocalStore second = open(Map.of());
        assertThat(list(second)).containsExactly("a/1", "j/0");
        assertThat(second.seal(FILE).join()).isEqualTo(5);
        assertThat(read(second, FILE)).isEqualTo("acked");
    }

    @Test
    void sameNodeIsNotStartedTwice() {
        LocalStore first = open(Map.of());

        assertThatThrownBy(() -> open(Map.of()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is in use by this process");
        // The refused start must not have dropped the lock of the first: it is POSIX's, any close would.
        assertThatThrownBy(() -> open(Map.of())).hasMessageContaining("is in use by this process");
        first.close();
        assertThat(open(Map.of())).isNotNull();
    }

    @Test
    void anotherProcessOnTheFolderIsNamed() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HoldsFolder.class.getName(),
                        folder().toString())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(other.inputReader().lines().anyMatch("open"::equals)).isTrue();

            assertThatThrownBy(() -> open(Map.of()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("folder " + folder() + " is in use by process " + other.pid());
        } finally {
            other.destroyForcibly();
            assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        LocalStore store = open(Map.of());
        assertThat(list(store)).containsExactly("held/1");
    }

    @Test
    void nodesWithDifferentNamesShareAFolder() {
        LocalStore one = open(Map.of("store.local.lock.name", "node-1"));
        LocalStore two = open(Map.of("store.local.lock.name", "node-2"));
        Appender appender = create(one, FILE, NEXT);
        assertThat(append(appender, "acked")).isEqualTo(new AppendOutcome.Durable(5));

        assertThat(put(two, "j/1", "tombstone")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(two.seal(FILE).join()).isEqualTo(5L);
        assertThat(append(appender, "late")).isEqualTo(new AppendOutcome.Fenced());
        assertThat(read(two, FILE)).isEqualTo("acked");
        assertThat(read(one, FILE)).isEqualTo("acked");
        two.delete(FILE).join();
        assertThat(list(one)).containsExactly("j/1");
    }

    @Test
    void newerFormatIsRefused() throws IOException {
        open(Map.of()).close();
        Files.writeString(folder().resolve(".forebay/format"), "forebay local store\nversion 2\n");

        assertThatThrownBy(() -> open(Map.of()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("version 2")
                .hasMessageContaining("newer Forebay");
    }

    @Test
    void damagedFormatIsNamed() throws IOException {
        open(Map.of()).close();
        Files.writeString(folder().resolve(".forebay/format"), "");

        assertThatThrownBy(() -> open(Map.of())).hasMessageContaining("format").hasMessageContaining("damaged");
    }

    @Test
    void foreignFolderIsRefused() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("holiday.jpg"), "");

        assertThatThrownBy(() -> open(Map.of())).hasMessageContaining("holiday.jpg");
        assertThat(folder().resolve(".forebay")).doesNotExist();
    }

    @Test
    void fileInPlaceOfTheFolderIsRefused() throws IOException {
        Files.writeString(folder(), "");

        assertThatThrownBy(() -> open(Map.of())).isInstanceOf(StoreException.class);
    }

    @Test
    void folderThatCannotBeMadeIsToldSo() {
        Path place = Path.of("/proc");
        assumeTrue(Files.isDirectory(place.resolve("self")));

        assertThatThrownBy(() -> open(place.resolve("forebay-store"), Map.of()))
                .isInstanceOf(StoreException.class)
                .hasMessage("cannot create folder /proc/forebay-store: nothing can be made in /proc");
    }

    @Test
    void networkFileSystemsAreRefused() {
        for (String type : List.of("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "FUSE.glusterfs")) {
            assertThatThrownBy(() -> FolderStart.refuseSharedFileSystem(type, folder()))
                    .as(type)
                    .hasMessageContaining("network file system");
        }
        for (String type : List.of("ext4", "xfs", "btrfs", "zfs", "overlay", "apfs", "fuse.lxcfs")) {
            FolderStart.refuseSharedFileSystem(type, folder());
        }
    }

    @Test
    void badSettingsAreNamed() {
        for (String setting :
                List.of("sync=never", "reserve.bytes=-1", "reserve.bytes=x", "open.files=0", "lock.name=A")) {
            String[] parts = setting.split("=", -1);
            assertThatThrownBy(() -> LocalConfig.of(Map.of("store.local." + parts[0], parts[1])))
                    .hasMessageContaining("store.local." + parts[0])
                    .hasMessageContaining("expected");
        }
    }

    @Test
    void temporaryFilesOfACrashedProcessAreRemoved() throws IOException {
        open(Map.of()).close();
        Files.writeString(folder().resolve(".forebay/nodes/node/tmp/1"), "half an obj");

        LocalStore store = open(Map.of());

        assertThat(temporaryFiles()).isEmpty();
        assertThat(put(store, "a", "x")).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void folderThatMayNotBeMadeIsToldInWords() {
        assertThat(DiskErrors.reason(new AccessDeniedException("/var/x"))).isEqualTo("no permission for /var/x");
        assertThat(DiskErrors.reason(new NoSuchFileException("/proc/x"))).isEqualTo("/proc/x does not exist");
        assertThat(DiskErrors.reason(new FileSystemException("/x", null, "Read-only file system")))
                .isEqualTo("Read-only file system");
    }

    @Test
    void deepNewFolderIsMade() {
        Path deep = temporary.resolve("a/b/c/store");
        LocalStore store = open(deep, Map.of());

        assertThat(put(store, "k", "x")).isEqualTo(PutOutcome.WRITTEN);
    }

    // ---- what a crash can leave

    @Test
    void markerWhoseFileIsGoneDoesNotSealANewOne() throws IOException {
        LocalStore store = open(Map.of());
        assertThat(put(store, "j/9", "keeps the folder")).isEqualTo(PutOutcome.WRITTEN);
        Files.write(folder().resolve("j/.0.sealed"), SealMarker.encode(2).array());

        assertThat(list(store)).containsExactly("j/9");
        assertThat(failure(store.seal(FILE))).isEqualTo(StoreException.Kind.NOT_FOUND);
        assertThat(put(store, "j/0", "longer than two")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(read(store, FILE)).isEqualTo("longer than two");
    }

    @Test
    void damagedMarkerIsNamedAndNotGuessed() throws IOException {
        LocalStore store = open(Map.of());
        Appender appender = create(store, FILE, NEXT);
        assertThat(append(appender, "acked")).isEqualTo(new AppendOutcome.Durable(5));
        byte[] marker = SealMarker.encode(5).array();
        marker[15]++;
        Files.write(folder().resolve("j/.0.sealed"), marker);

        assertThat(failure(store.seal(FILE))).isEqualTo(StoreException.Kind.CORRUPT);
        assertThat(failure(store.read(FILE, 0, ByteBuffer.allocate(5)))).isEqualTo(StoreException.Kind.CORRUPT);
    }

    @Test
    void markHasTheBytesOfTheFormatPage() {
        assertThat(HexFormat.of()
                        .formatHex(SealMarker.encode(0x0102030405060708L).array()))
                .isEqualTo("46534c01" + "00000000" + "0102030405060708" + "2fd5941c");
    }

    @Test
    void whatIsNoObjectIsNotListed() throws IOException {
        LocalStore store = open(Map.of());
        assertThat(put(store, "a/1", "x")).isEqualTo(PutOutcome.WRITTEN);
        Files.writeString(folder().resolve("a/README.txt"), "");
        Files.writeString(folder().resolve("a/.hidden"), "");
        Files.createDirectories(folder().resolve("lost+found/x"));
        Files.createSymbolicLink(folder().resolve("a/2"), folder().resolve("a/1"));

        assertThat(list(store)).containsExactly("a/1");
    }

    @Test
    void emptyFoldersAreRemoved() {
        LocalStore store = open(Map.of());
        assertThat(put(store, "shard/7/3/a", "x")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(put(store, "shard/7/4/a", "x")).isEqualTo(PutOutcome.WRITTEN);

        store.delete(ObjectKey.of("shard/7/3/a")).join();
        assertThat(folder().resolve("shard/7/3")).doesNotExist();
        assertThat(folder().resolve("shard/7/4")).exists();
        store.delete(ObjectKey.of("shard/7/4/a")).join();
        assertThat(folder().resolve("shard/7")).doesNotExist();
        assertThat(folder().resolve("shard")).exists();
        assertThat(put(store, "shard/7/3/a", "x")).isEqualTo(PutOutcome.WRITTEN);
        assertThat(list(store)).containsExactly("shard/7/3/a");
    }

    // ---- threads and open files

    @Test
    void interruptedReadersDoNotDisturbOthers() throws Exception {
        List<Thread> readers = new CopyOnWriteArrayList<>();
        ExecutorService io = Executors.newFixedThreadPool(4, work -> {
            Thread reader = new Thread(work);
            readers.add(reader);
            return reader;
        });
        LocalStore store = open(folder(), Map.of(), io);
        assertThat(put(store, "k", "content")).isEqualTo(PutOutcome.WRITTEN);
        List<CompletableFuture<Integer>> reads = new ArrayList<>();
        List<CompletableFuture<PutOutcome>> puts = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            reads.add(store.read(ObjectKey.of("k"), 0, ByteBuffer.allocate(7)));
            if (i % 50 == 0) {
                puts.add(store.putIfAbsent(ObjectKey.of("p/" + i), bytes("x")));
            }
            readers.get(i % readers.size()).interrupt();
        }
        for (CompletableFuture<Integer> read : reads) {
            readers.forEach(Thread::interrupt);
            assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(7);
        }
        for (CompletableFuture<PutOutcome> put : puts) {
            assertThat(put.get(30, TimeUnit.SECONDS)).isEqualTo(PutOutcome.WRITTEN);
        }
        io.shutdown();
    }

    @Test
    void interruptedWriterStillWritesAndKeepsItsInterrupt() {
        LocalStore store = open(Map.of());
        Appender appender = create(store, FILE, NEXT);
        Thread.currentThread().interrupt();

        assertThat(append(appender, "acked")).isEqualTo(new AppendOutcome.Durable(5));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(put(store, "a", "x")).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void noFileStaysOpen() throws IOException {
        LocalStore store = open(Map.of("store.local.open.files", "5"));
        long before = openDescriptors();
        for (int i = 0; i < 60; i++) {
            assertThat(put(store, "a/" + i, "content")).isEqualTo(PutOutcome.WRITTEN);
            assertThat(put(store, "a/" + i, "content")).isEqualTo(PutOutcome.ALREADY_EXISTS);
            assertThat(read(store, ObjectKey.of("a/" + i))).isEqualTo("content");
            Appender appender = create(store, ObjectKey.of("j/" + i), ObjectKey.of("j/" + (i + 1)));
            assertThat(append(appender, "x")).isEqualTo(new AppendOutcome.Durable(1));
            appender.close().join();
            assertThat(store.seal(ObjectKey.of("j/" + i)).join()).isEqualTo(1);
            assertThat(failure(store.read(ObjectKey.of("none"), 0, ByteBuffer.allocate(1))))
                    .isEqualTo(StoreException.Kind.NOT_FOUND);
            store.delete(ObjectKey.of("a/" + i)).join();
        }
        assertThat(list(store)).hasSize(60);
        assertThat(openDescriptors() - before).isLessThanOrEqualTo(8);
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }

    // ---- the hands of the tests

    private Path folder() {
        return temporary.toAbsolutePath().resolve("store");
    }

    private LocalStore open(Map<String, String> settings) {
        return open(folder(), settings);
    }

    private LocalStore open(Path path, Map<String, String> settings) {
        return open(path, settings, Runnable::run);
    }

    private LocalStore open(Path path, Map<String, String> settings, java.util.concurrent.Executor io) {
        Map<String, String> all = new java.util.HashMap<>(Map.of("store.local.reserve.bytes", "1000"));
        all.putAll(settings);
        LocalStore store = FolderStart.open(path, LocalConfig.of(all), disk, io, clock);
        opened.add(store);
        return store;
    }

    private List<Path> temporaryFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder().resolve(".forebay/nodes/node/tmp"))) {
            return files.toList();
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static PutOutcome put(LocalStore store, String key, String content) {
        return store.putIfAbsent(ObjectKey.of(key), bytes(content)).join();
    }

    private static Appender create(LocalStore store, ObjectKey key, ObjectKey successor) {
        CreateOutcome outcome = store.createAppender(key, successor).join();
        assertThat(outcome).isInstanceOf(CreateOutcome.Created.class);
        return ((CreateOutcome.Created) outcome).appender();
    }

    private static AppendOutcome append(Appender appender, String text) {
        CompletableFuture<AppendOutcome> outcome = appender.append(List.of(bytes(text)));
        assertThat(outcome).isCompleted();
        return outcome.join();
    }

    private static StoreException.Kind failed(AppendOutcome outcome) {
        assertThat(outcome).isInstanceOf(AppendOutcome.Failed.class);
        return ((AppendOutcome.Failed) outcome).cause().kind();
    }

    private static StoreException.Kind failure(CompletableFuture<?> future) {
        try {
            Object value = future.join();
            throw new AssertionError("expected a failure, got " + value);
        } catch (CompletionException wrapped) {
            assertThat(wrapped.getCause()).isInstanceOf(StoreException.class);
            return wrapped.getCause() instanceof StoreException known ? known.kind() : StoreException.Kind.CORRUPT;
        }
    }

    private static String read(LocalStore store, ObjectKey key) {
        ByteBuffer content = ByteBuffer.allocate(1_000);
        int count = store.read(key, 0, content).join();
        return new String(content.array(), 0, count, StandardCharsets.UTF_8);
    }

    private static List<String> list(LocalStore store) {
        return store.list("", "", 1_000).join().stream()
                .map(ObjectStat::key)
                .map(ObjectKey::value)
                .toList();
    }
}
