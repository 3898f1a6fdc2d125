package io.forebay.store.hdfs;

import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.store.ObjectKey;
import io.forebay.store.Store.Piece;
import io.forebay.store.StoreException;
import io.forebay.store.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads objects. Thread-safe.
 *
 * <p>A file cannot be opened for a moment while it is being recovered, and a stream opened before a recovery knows old replicas: so a
 * read that fails is tried again from a new opening, a few times, unless nobody answers at all.
 */
final class HdfsReader {

    private static final int TRIES = 5;
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 1_000;
    /** A pipeline that is being set up or mended says so once; not twice. */
    private static final int SEAL_AFTER_TRIES = 2;

    private final HdfsFolder folder;
    private final SmallObjects small;
    private final HdfsWork work;
    private final Loop timers;
    private final OpenStreams streams;
    private final HdfsSealer sealer;

    HdfsReader(
            HdfsFolder folder, SmallObjects small, HdfsWork work, Loop timers, OpenStreams streams, HdfsSealer sealer) {
        this.folder = folder;
        this.small = small;
        this.work = work;
        this.timers = timers;
        this.streams = streams;
        this.sealer = sealer;
    }

    /** @param endCounts whether fewer bytes than asked for mean the object's end, as it is now */
    CompletableFuture<Integer> read(ObjectKey key, List<Piece> pieces, boolean endCounts) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        attempt(key, pieces, endCounts, 1, result);
        return result;
    }

    private void attempt(
            ObjectKey key, List<Piece> pieces, boolean endCounts, int number, CompletableFuture<Integer> result) {
        var unused = work.run("cannot read '" + key + "'", () -> readNow(key, pieces, endCounts))
                .whenComplete((read, failure) -> {
                    Throwable cause = failure == null ? null : Retry.unwrap(failure);
                    if (cause == null) {
                        result.complete(read);
                    } else if (number == SEAL_AFTER_TRIES
                            && cause.getCause() != null
                            && HdfsErrors.endUnknown(cause.getCause())) {
                        var unusedEnd = sealer.seal(key)
                                .whenComplete((end, stillOpen) -> attempt(key, pieces, endCounts, number + 1, result));
                    } else if (number < TRIES && worthATry(cause)) {
                        var unusedTimer = timers.schedule(
                                () -> attempt(key, pieces, endCounts, number + 1, result),
                                Retry.doubling(number, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
                    } else {
                        result.completeExceptionally(cause);
                    }
                });
    }

    private static boolean worthATry(Throwable failure) {
        return failure instanceof StoreException known
                && known.kind() == Kind.UNAVAILABLE
                && !(known.getCause() != null && HdfsErrors.unreachable(known.getCause()));
    }

    private int readNow(ObjectKey key, List<Piece> pieces, boolean endCounts) throws IOException {
        String path = folder.path(key);
        long end = 0;
        for (Piece piece : pieces) {
            end = Math.max(end, piece.position() + piece.destination().remaining());
        }
        try {
            byte[] kept = streams.knows(path) ? null : small.content(path);
            return kept == null ? readBlocks(path, pieces, end, endCounts) : copy(kept, pieces);
        } catch (IOException failed) {
            streams.forget(path);
            if (HdfsErrors.missing(failed)) {
                throw HdfsSealer.notFound(key);
            }
            throw failed;
        }
    }

    private static int copy(byte[] kept, List<Piece> pieces) {
        int all = 0;
        for (Piece piece : pieces) {
            ByteBuffer destination = piece.destination();
            int wanted = destination.remaining();
            int from = (int) Math.min(kept.length, piece.position());
            int count = Math.min(wanted, kept.length - from);
            destination.put(kept, from, count);
            all += count;
            if (count < wanted) {
                return all;
            }
        }
        return all;
    }

    private int readBlocks(String path, List<Piece> pieces, long end, boolean endCounts) throws IOException {
        try (OpenStreams.OpenStream stream = streams.use(path, end, endCounts)) {
            if (stream.isEmpty() && small.content(path) != null) {
                throw new IOException(path + " was made anew while it was being opened");
            }
            int all = 0;
            for (Piece piece : pieces) {
                // A try that fails half way leaves the caller's position where it was.
                ByteBuffer destination = piece.destination().duplicate();
                int wanted = destination.remaining();
                int read = stream.read(piece.position(), destination);
                piece.destination().position(destination.position());
                all += read;
                if (read < wanted) {
                    return all;
                }
            }
            return all;
        }
    }
}
