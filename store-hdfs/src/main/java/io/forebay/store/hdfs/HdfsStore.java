package io.forebay.store.hdfs;

import io.forebay.store.CreateOutcome;
import io.forebay.store.ListingScope;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreCapabilities;
import io.forebay.store.StoreException;
import io.forebay.store.StoreException.Kind;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link Store} in one folder of HDFS. Thread-safe. The package page says how it works. */
final class HdfsStore implements Store {

    private static final Logger LOG = LoggerFactory.getLogger(HdfsStore.class);

    /** How long the journal's loop waits for what it can do without. */
    private static final long SOON_MS = 2_000;

    private final HdfsFolder folder;
    private final HdfsWork work;
    private final TemporaryFiles temporary;
    private final TemporaryCleanup cleanup;
    private final HdfsSealer sealer;
    private final OpenStreams streams;
    private final HdfsReader reader;
    private final Set<HdfsAppender> appenders = ConcurrentHashMap.newKeySet();

    /**
     * Use {@link HdfsStart#open}.
     *
     * @param process a name that no other process has
     */
    HdfsStore(HdfsFolder folder, SmallObjects small, StorePorts ports, String process) {
        this.folder = folder;
        this.work = new HdfsWork(folder.config(), ports.io());
        this.temporary = new TemporaryFiles(folder, small, process);
        this.cleanup = new TemporaryCleanup(folder, work, ports.timers(), temporary.own());
        this.sealer = new HdfsSealer(folder, work, ports.timers(), ports.clock());
        this.streams = new OpenStreams(folder, folder.config().openFiles());
        this.reader = new HdfsReader(folder, small, work, ports.timers(), streams, sealer);
    }

    void start() {
        cleanup.start();
    }

    @Override
    public StoreCapabilities capabilities() {
        return new StoreCapabilities(true, Long.MAX_VALUE);
    }

    /** The lease is recovered with a heartbeat of a DataNode, so each probe takes one. Who answers at an address is Hadoop's; another version of its client asks anew. */
    @Override
    public String probed() {
        String address = folder.config().nameNode().getAuthority().toLowerCase(Locale.ROOT);
        String name = "hdfs-" + VersionInfo.getVersion().toLowerCase(Locale.ROOT) + "-" + address;
        return name.replaceAll("[^a-z0-9._-]", "_")
                .substring(0, Math.min(name.length(), ObjectKey.MAX_PART_CHARACTERS));
    }

    /** Of all DataNodes together, shared out by the number of copies. */
    @Override
    public CompletableFuture<Optional<StoreSpace>> space() {
        return work.run("cannot tell the size of " + folder.config().nameNode(), () -> {
            FsStatus all =
                    folder.fileSystem().getStatus(new Path(folder.config().folder()));
            int copies = folder.replication();
            return Optional.of(
                    new StoreSpace(Math.max(0, all.getCapacity() / copies), Math.max(0, all.getRemaining() / copies)));
        });
    }

    @Override
    public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
        return work.run("cannot put '" + key + "'", () -> temporary.put(key, content));
    }

    @Override
    public CompletableFuture<ObjectUpload> beginUpload(ObjectKey key) {
        return CompletableFuture.completedFuture(new HdfsUpload(temporary, work, key));
    }

    @Override
    public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
        return work.run("cannot create '" + key + "'", () -> create(key, successor));
    }

    @Override
    public CompletableFuture<Long> seal(ObjectKey key) {
        return sealer.seal(key);
    }

    @Override
    public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
        if (position < 0) {
            return CompletableFuture.failedFuture(new StoreException(Kind.INVALID, "negative position " + position));
        }
        return reader.read(key, List.of(new Piece(position, destination)), true);
    }

    @Override
    public CompletableFuture<Integer> readPieces(ObjectKey key, List<Piece> pieces) {
        return reader.read(key, pieces, false);
    }

    @Override
    public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
        return work.run("cannot list '" + prefix + "'", () -> {
            if (limit <= 0) {
                throw new StoreException(Kind.INVALID, "a listing has a positive limit, not " + limit);
            }
            return new HdfsListing(folder, new ListingScope(prefix, startAfter), limit).walk();
        });
    }

    @Override
    public CompletableFuture<Void> delete(ObjectKey key) {
        return work.runStep("cannot delete '" + key + "'", () -> deleteNow(key));
    }

    @Override
    public void close() {
        if (work.closed()) {
            return;
        }
        work.close();
        cleanup.stop();
        appenders.forEach(HdfsAppender::abandon);
        streams.closeAll();
        try {
            boolean unused = folder.client().delete(temporary.own(), true);
        } catch (IOException cleanedUpLater) {
            LOG.info("temporary files are left over in {}: {}", temporary.own(), cleanedUpLater.toString());
        }
        try {
            folder.fileSystem().close();
        } catch (IOException nothingIsLost) {
            LOG.info("the connection to {} did not close: {}", folder.config().nameNode(), nothingIsLost.toString());
        }
    }

    // ---- appending

    private CreateOutcome create(ObjectKey key, ObjectKey successor) throws IOException {
        String path = folder.path(key);
        try {
            WritingFile file = folder.create(path);
            HdfsAppender appender = new HdfsAppender(this, key, successor, file);
            appenders.add(appender);
            if (work.closed()) {
                appender.abandon();
            }
            return new CreateOutcome.Created(appender);
        } catch (IOException failed) {
            if (HdfsErrors.taken(failed)) {
                HdfsFileStatus there = folder.status(path);
                if (there != null && there.isDirectory()) {
                    throw new StoreException(Kind.INVALID, "'" + key + "' is a folder: it holds other objects", failed);
                }
                return new CreateOutcome.AlreadyExists();
            }
            if (HdfsErrors.notAFolder(failed)) {
                throw new StoreException(Kind.INVALID, "'" + key + "' lies below another object", failed);
            }
            if (HdfsErrors.refused(failed)) {
                throw failed;
            }
            return new CreateOutcome.OutcomeUnknown(work.translate("cannot create '" + key + "'", failed));
        }
    }

    HdfsFolder folder() {
        return folder;
    }

    HdfsWork work() {
        return work;
    }

    int minDataNodes() {
        return folder.config().minDataNodes();
    }

    long flushTimeoutMs() {
        return folder.config().flushTimeoutMs();
    }

    /** Whether the object is known to exist; false also if nobody answers in a moment. Blocks until then. */
    boolean existsSoon(ObjectKey key) {
        CompletableFuture<Boolean> looking =
                work.run("cannot look for '" + key + "'", () -> folder.status(folder.path(key)) != null);
        try {
            return looking.get(SOON_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException notKnown) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void learn(WritingFile file) {
        folder.learn(file);
    }

    void learn(WritingFile file, IOException failure) {
        if (!work.closed()) {
            folder.learn(file, failure);
        }
    }

    /** Ends a writer's file in good order; what fails is closed by a seal. */
    CompletableFuture<Void> closeFile(HdfsAppender appender) {
        return work.runStep(
                        "cannot close '" + appender.key() + "'",
                        () -> appender.file().close())
                .handle((closed, failure) -> failure)
                .thenAccept(failure -> {
                    appenders.remove(appender);
                    if (failure != null) {
                        LOG.info(
                                "'{}' could not be closed, it is sealed instead: {}",
                                appender.key(),
                                failure.getMessage());
                        sealInBackground(appender.key());
                    }
                });
    }

    /** Lets go of a file that failed, and closes it in the background. */
    void writerFailed(HdfsAppender appender, long acknowledgedEnd) {
        LOG.warn("writing '{}' ended behind position {}; it is not written again", appender.key(), acknowledgedEnd);
        var unused = work.runStep("cannot let go of '" + appender.key() + "'", appender::abandon)
                .whenComplete((done, failure) -> {
                    appenders.remove(appender);
                    sealInBackground(appender.key());
                });
    }

    private void sealInBackground(ObjectKey key) {
        if (work.closed()) {
            return;
        }
        var unused = sealer.seal(key).whenComplete((end, failure) -> {
            if (failure != null) {
                LOG.info("could not seal '{}', its reader will: {}", key, failure.getMessage());
            }
        });
    }

    // ---- deleting

    private void deleteNow(ObjectKey key) throws IOException {
        String path = folder.path(key);
        try {
            boolean wasThere = folder.client().delete(path, false);
            streams.forget(path);
            if (wasThere) {
                folder.removeEmpty(HdfsFolder.parent(path));
            }
        } catch (IOException failed) {
            if (!HdfsErrors.missing(failed) && !HdfsErrors.notEmpty(failed)) {
                throw failed;
            }
        }
    }
}
