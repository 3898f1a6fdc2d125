package io.forebay.store.hdfs;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import io.forebay.store.StoreException.Kind;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fixes the ends of files: takes the lease from whoever has it and waits until the file is closed. Thread-safe.
 *
 * <p>Why this fences. Recovery takes every replica of the last block that it reaches out of its writer's hands before it counts their
 * bytes, and gives the block a new generation stamp. A flush needs all DataNodes of the writer's chain; after it lost one of them it needs
 * the NameNode, who knows by then that the lease is another's. So nothing is acknowledged that recovery did not count; and it cuts to
 * the shortest replica, which holds everything that all of them acknowledged.
 *
 * <p>All callers for one file share one run, which asks again and again, with growing pauses, until the file is closed or {@link
 * #GIVE_UP_MS} have passed; a caller that still wants it then calls again.
 */
final class HdfsSealer {

    private static final Logger LOG = LoggerFactory.getLogger(HdfsSealer.class);

    private static final long POLL_MS = 50;
    /** A new recovery voids the one before, which takes a DataNode's heartbeat and more: not too soon again. */
    private static final long FIRST_REPEAT_MS = 4_000;

    private static final long LONGEST_REPEAT_MS = 32_000;
    private static final long GIVE_UP_MS = 60_000;
    /** While the NameNode is away each try fails: that is told again after this time, not each time. */
    private static final long TELL_AGAIN_MS = 10_000;

    private final HdfsFolder folder;
    private final HdfsWork work;
    private final Loop timers;
    private final Clock clock;
    private final ConcurrentMap<ObjectKey, Run> runs = new ConcurrentHashMap<>();

    HdfsSealer(HdfsFolder folder, HdfsWork work, Loop timers, Clock clock) {
        this.folder = folder;
        this.work = work;
        this.timers = timers;
        this.clock = clock;
    }

    CompletableFuture<Long> seal(ObjectKey key) {
        Run fresh = new Run(key);
        Run running = runs.putIfAbsent(key, fresh);
        if (running == null) {
            fresh.step();
            running = fresh;
        }
        return running.end.copy();
    }

    private final class Run {
        private final ObjectKey key;
        private final String path;
        private final CompletableFuture<Long> end = new CompletableFuture<>();
        private final long startNanos = clock.nanos();
        /** Used by one step at a time, like all below. */
        private int recoveries;

        private long repeatAtNanos = startNanos;
        private long tellAtNanos = startNanos;

        Run(ObjectKey key) {
            this.key = key;
            this.path = folder.path(key);
        }

        void step() {
            var unused = work.run("cannot seal '" + key + "'", this::look).whenComplete((found, failure) -> {
                if (failure == null && found.isPresent()) {
                    finish();
                    end.complete(found.getAsLong());
                } else if (failure == null || passing(Retry.unwrap(failure))) {
                    again(failure);
                } else {
                    finish();
                    end.completeExceptionally(Retry.unwrap(failure));
                }
            });
        }

        /** The end, if the file is closed; otherwise sees to it that it will be. */
        private OptionalLong look() throws IOException {
            try {
                boolean closed = folder.client().isFileClosed(path);
                if (!closed && clock.nanos() - repeatAtNanos >= 0) {
                    repeatAtNanos = clock.nanos()
                            + Retry.doubling(++recoveries, FIRST_REPEAT_MS, LONGEST_REPEAT_MS) * 1_000_000;
                    closed = folder.fileSystem().recoverLease(new Path(path));
                }
                HdfsFileStatus status = closed ? folder.client().getFileInfo(path) : null;
                if (closed && status == null) {
                    throw notFound(key);
                }
                return status == null ? OptionalLong.empty() : OptionalLong.of(SmallObjects.length(status));
            } catch (IOException failed) {
                if (HdfsErrors.missing(failed)) {
                    throw notFound(key);
                }
                throw failed;
            }
        }

        private void again(@Nullable Throwable failure) {
            long waitedMs = (clock.nanos() - startNanos) / 1_000_000;
            if (waitedMs > GIVE_UP_MS || work.closed()) {
                finish();
                String why = failure == null ? "" : ": " + Retry.unwrap(failure).getMessage();
                end.completeExceptionally(new StoreException(
                        Kind.UNAVAILABLE,
                        "'" + key + "' is still being recovered after " + waitedMs / 1_000
                                + " s: the DataNodes that hold its last block do not answer ('hdfs fsck " + path
                                + " -files -blocks -locations -openforwrite' names them)" + why));
                return;
            }
            if (failure != null && clock.nanos() - tellAtNanos >= 0) {
                tellAtNanos = clock.nanos() + TELL_AGAIN_MS * 1_000_000;
                LOG.warn("sealing '{}' goes on: {}", key, Retry.unwrap(failure).getMessage());
            }
            var unused = timers.schedule(this::step, failure == null ? POLL_MS : 4 * POLL_MS);
        }

        private void finish() {
            runs.remove(key, this);
            long tookMs = (clock.nanos() - startNanos) / 1_000_000;
            if (recoveries > 0) {
                LOG.info("'{}' was recovered in {} ms", key, tookMs);
            }
        }
    }

    private static boolean passing(Throwable failure) {
        return failure instanceof StoreException known && known.kind() == Kind.UNAVAILABLE;
    }

    static StoreException notFound(ObjectKey key) {
        return new StoreException(Kind.NOT_FOUND, "there is no object '" + key + "'");
    }
}
