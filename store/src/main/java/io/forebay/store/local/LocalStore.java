package io.forebay.store.local;

import io.forebay.model.Clock;
import io.forebay.model.SharedFile;
import io.forebay.store.BlockingWork;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ListingScope;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreCapabilities;
import io.forebay.store.StoreException;
import io.forebay.store.StoreSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Store} in one folder of one machine. Thread-safe. The package page says how it works.
 *
 * <p>On a full disk the {@link Reserve} is freed for writes of at most {@link #SMALL_BYTES}; until it could be made again
 * larger puts and all appends are refused with FULL.
 */
public final class LocalStore implements Store {

    private static final Logger LOG = LoggerFactory.getLogger(LocalStore.class);

    /** What still goes through on a full disk: tombstones, seals, manifests. */
    static final int SMALL_BYTES = 1 << 20;

    private final LocalLayout layout;
    private final LocalConfig config;
    private final Disk disk;
    private final DiskExecutor io;
    private final Clock clock;
    private final StartGuard guard;
    private final Folders folders;
    private final OpenFiles openFiles;
    private final OwnFiles ownFiles;
    private final LocalReader reader;
    private final Reserve reserve;
    private final AtomicLong temporaryFiles = new AtomicLong();
    private final Set<LocalAppender> appenders = ConcurrentHashMap.newKeySet();

    /** Use {@link FolderStart#open}. */
    LocalStore(LocalLayout layout, LocalConfig config, Disk disk, Executor ioExecutor, Clock clock, StartGuard guard) {
        this.layout = layout;
        this.config = config;
        this.disk = disk;
        this.io = new DiskExecutor(layout.root(), ioExecutor);
        this.clock = clock;
        this.guard = guard;
        this.folders = new Folders(layout.root(), disk);
        this.openFiles = new OpenFiles(config.openFiles());
        this.ownFiles = new OwnFiles(config.uncheckedBytes());
        this.reader = new LocalReader(layout, openFiles, io);
        this.reserve = new Reserve(layout.reserve(), config.reserveBytes(), disk);
    }

    @Override
    public StoreCapabilities capabilities() {
        return new StoreCapabilities(true, Long.MAX_VALUE);
    }

    @Override
    public CompletableFuture<Optional<StoreSpace>> space() {
        return io.run("cannot tell the size of the volume of " + layout.root(), () -> {
            FileStore volume = Files.getFileStore(layout.root());
            return Optional.of(new StoreSpace(volume.getTotalSpace(), volume.getUsableSpace()));
        });
    }

    /** The folder. */
    public Path root() {
        return layout.root();
    }

    /** Whether the disk ran full: only small writes succeed until there is space again. */
    public boolean diskFull() {
        return reserve.freed();
    }

    @Override
    public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
        return io.run("cannot put '" + key + "'", () -> {
            if (content.remaining() > SMALL_BYTES) {
                checkSpaceForMore();
            }
            return withReserve(content.remaining(), () -> put(key, content));
        });
    }

    @Override
    public CompletableFuture<ObjectUpload> beginUpload(ObjectKey key) {
        return CompletableFuture.completedFuture(new LocalUpload(this, key));
    }

    @Override
    public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
        return io.run("cannot create '" + key + "'", () -> withReserve(0, () -> create(key, successor)));
    }

    @Override
    public CompletableFuture<Long> seal(ObjectKey key) {
        return io.run("cannot seal '" + key + "'", () -> withReserve(0, () -> sealUninterrupted(key)));
    }

    @Override
    public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
        return io.run("cannot read '" + key + "'", () -> {
            if (position < 0) {
                throw new StoreException(StoreException.Kind.INVALID, "negative position " + position);
            }
            return reader.read(key, List.of(new Piece(position, destination)), true);
        });
    }

    @Override
    public CompletableFuture<Integer> readPieces(ObjectKey key, List<Piece> pieces) {
        return io.run("cannot read '" + key + "'", () -> reader.read(key, pieces, false));
    }

    @Override
    public Optional<SharedFile> openFile(ObjectKey key) {
        Path name = layout.file(key);
        return openFiles.share(name, key.value(), ownFiles.unchanged(name, clock.nanos()));
    }

    @Override
    public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
        return io.run("cannot list '" + prefix + "'", () -> {
            if (limit <= 0) {
                throw new StoreException(StoreException.Kind.INVALID, "a listing has a positive limit, not " + limit);
            }
            return new LocalListing(layout.root(), new ListingScope(prefix, startAfter), limit).walk();
        });
    }

    @Override
    public CompletableFuture<Void> delete(ObjectKey key) {
        return io.runStep("cannot delete '" + key + "'", () -> deleteNow(key));
    }

    @Override
    public void close() {
        if (!io.closed()) {
            io.close();
            appenders.forEach(LocalAppender::abandon);
            openFiles.closeAll();
            ownFiles.forgetAll();
            guard.close();
        }
    }

    // ---- making objects

    private PutOutcome put(ObjectKey key, ByteBuffer content) throws IOException {
        if (disk.exists(layout.file(key))) {
            return taken(key);
        }
        while (true) {
            try (TemporaryFile file = temporaryFile()) {
                file.write(content.duplicate());
                file.sync();
                return publish(file, key);
            } catch (ClosedByInterruptException beforeItHadAName) {
                io.checkOpen();
                clearInterrupt();
            }
        }
    }

    /** Gives a complete file on the disk the name of the key. */
    PutOutcome publish(TemporaryFile file, ObjectKey key) throws IOException {
        Path name = layout.file(key);
        Path folder = folderOf(name);
        try {
            return folders.inFolder(folder, () -> {
                clearStaleMarker(name);
                file.link(name);
                try {
                    disk.syncFolder(folder);
                    return PutOutcome.WRITTEN;
                } catch (IOException failed) {
                    LOG.warn("'{}' was put, but its folder could not be synced", key, failed);
                    return PutOutcome.OUTCOME_UNKNOWN;
                }
            });
        } catch (FileAlreadyExistsException taken) {
            return taken(key);
        }
    }

    private PutOutcome taken(ObjectKey key) throws IOException {
        Path name = layout.file(key);
        checkNotFolder(name, key);
        // Whoever made it may not have come to syncing the folder, and the caller will rely on it.
        disk.syncFolder(folderOf(name));
        return PutOutcome.ALREADY_EXISTS;
    }

    private CreateOutcome create(ObjectKey key, ObjectKey successor) throws IOException {
        Path name = layout.file(key);
        Path folder = folderOf(name);
        try {
            return folders.inFolder(folder, () -> {
                clearStaleMarker(name);
                FileChannel file = disk.create(name);
                try {
                    disk.syncFolder(folder);
                } catch (IOException failed) {
                    closeQuietly(file);
                    return new CreateOutcome.OutcomeUnknown(io.translate("cannot create '" + key + "'", failed));
                }
                LocalAppender appender = new LocalAppender(
                        this, key, layout.file(successor), file, config.sync() == LocalConfig.Sync.ALWAYS);
                appenders.add(appender);
                if (io.closed()) {
                    appender.abandon();
                }
                return new CreateOutcome.Created(appender);
            });
        } catch (FileAlreadyExistsException taken) {
            checkNotFolder(name, key);
            return new CreateOutcome.AlreadyExists();
        }
    }

    /** A crash within a delete can leave a marker whose file is gone. */
    private void clearStaleMarker(Path name) throws IOException {
        Path marker = LocalLayout.marker(name);
        if (disk.exists(marker) && !disk.exists(name)) {
            Files.deleteIfExists(marker);
        }
    }

    TemporaryFile temporaryFile() throws IOException {
        io.checkOpen();
        return new TemporaryFile(disk, layout.temporary().resolve(Long.toString(temporaryFiles.incrementAndGet())));
    }

    // ---- sealing

    private long sealUninterrupted(ObjectKey key) throws IOException {
        while (true) {
            try {
                return sealNow(key);
            } catch (ClosedByInterruptException again) {
                io.checkOpen();
                clearInterrupt();
            }
        }
    }

    private long sealNow(ObjectKey key) throws IOException {
        Path name = layout.file(key);
        OptionalLong fixed = SealMarker.read(layout.marker(key));
        if (fixed.isPresent() && disk.exists(name)) {
            // Whoever put it may not have come to syncing the folder.
            disk.syncFolder(folderOf(name));
            return fixed.getAsLong();
        }
        try (FileChannel file = openExisting(key)) {
            // In this order: what is written behind the end read here belongs to a writer whose look comes later.
            long end = file.size();
            if (config.sync() == LocalConfig.Sync.ALWAYS) {
                disk.sync(file);
            }
            return fixEnd(key, end);
        }
    }

    /** Puts the marker unless there is one. Returns the end that counts. */
    private long fixEnd(ObjectKey key, long end) throws IOException {
        Path marker = layout.marker(key);
        Path folder = folderOf(marker);
        try (TemporaryFile file = temporaryFile()) {
            file.write(SealMarker.encode(end));
            file.sync();
            var unused = folders.inFolder(folder, () -> {
                file.link(marker);
                return marker;
            });
        } catch (FileAlreadyExistsException somebodyWasFirst) {
            // Its end counts, once the name of its marker is on the disk.
        }
        disk.syncFolder(folder);
        if (!disk.exists(layout.file(key))) {
            Files.deleteIfExists(marker);
            throw LocalReader.notFound(key);
        }
        return SealMarker.read(marker).orElseThrow(() -> LocalReader.notFound(key));
    }

    /** Fixes the end of a file that failed at what was acknowledged, so that nobody counts the rest. */
    void writerFailed(ObjectKey key, long acknowledgedEnd, StoreException cause) {
        LOG.warn("writing '{}' failed behind position {}; it is not written again", key, acknowledgedEnd, cause);
        if (io.closed()) {
            return;
        }
        try {
            long end = withReserve(0, () -> fixEnd(key, acknowledgedEnd));
            LOG.info("'{}' ends at position {}", key, end);
        } catch (IOException | StoreException failed) {
            LOG.warn("could not seal '{}': its reader will", key, failed);
        }
    }

    void writerEnded(LocalAppender appender) {
        appenders.remove(appender);
    }

    /** A file got its last byte, and all went well. */
    void writerFinished(ObjectKey key, long endPosition) {
        ownFiles.finished(layout.file(key), endPosition, clock.nanos());
    }

    // ---- deleting

    private void deleteNow(ObjectKey key) throws IOException {
        Path name = layout.file(key);
        Path folder = folderOf(name);
        if (Files.isDirectory(name, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            boolean wasThere = Files.deleteIfExists(name);
            openFiles.forget(name);
            ownFiles.forget(name);
            wasThere |= Files.deleteIfExists(LocalLayout.marker(name));
            if (wasThere) {
                disk.syncFolder(folder);
                folders.removeEmpty(folder);
            }
        } catch (IOException failed) {
            if (!DiskErrors.missing(name, failed)) {
                throw failed;
            }
        }
    }

    // ---- what all of it needs

    Disk disk() {
        return disk;
    }

    DiskExecutor io() {
        return io;
    }

    /** Makes the reserve ahead of need. Blocks. */
    void makeReserve() {
        reserve.make();
    }

    /** Refuses what is not small while the disk is full, and looks from time to time whether it still is. */
    void checkSpaceForMore() {
        if (!reserve.freed()) {
            return;
        }
        if (reserve.worthATry(clock.nanos())) {
            var unused = io.runStep("cannot look for space", reserve::make);
        }
        throw new StoreException(
                StoreException.Kind.FULL, "the disk of " + layout.root() + " is full: only small objects are written");
    }

    /** Runs small work again after freeing the reserve if the disk is full. */
    private <T> T withReserve(int sizeBytes, BlockingWork.Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (IOException failed) {
            boolean retry = io.full(failed) && sizeBytes <= SMALL_BYTES && reserve.free(clock.nanos());
            if (!retry) {
                throw failed;
            }
            return work.run();
        }
    }

    /** A stop of the executor interrupts again; work that has begun is done. */
    private static void clearInterrupt() {
        var unused = Thread.interrupted();
    }

    private FileChannel openExisting(ObjectKey key) throws IOException {
        Path name = layout.file(key);
        if (Files.isDirectory(name, LinkOption.NOFOLLOW_LINKS)) {
            throw LocalReader.notFound(key);
        }
        try {
            return FileChannel.open(name, StandardOpenOption.READ);
        } catch (IOException failed) {
            throw missingOr(key, failed);
        }
    }

    /** Throws NOT_FOUND if that is what the failure means, else gives it back. */
    private IOException missingOr(ObjectKey key, IOException failed) {
        if (DiskErrors.missing(layout.file(key), failed)) {
            throw LocalReader.notFound(key);
        }
        return failed;
    }

    private void checkNotFolder(Path name, ObjectKey key) {
        if (Files.isDirectory(name, LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreException(StoreException.Kind.INVALID, "'" + key + "' is a folder: it holds other objects");
        }
    }

    private static Path folderOf(Path file) {
        return Objects.requireNonNull(file.getParent(), "below the root");
    }

    private static void closeQuietly(FileChannel file) {
        try {
            file.close();
        } catch (IOException nothingIsLost) {
            // Nothing was written.
        }
    }
}
