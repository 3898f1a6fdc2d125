package io.forebay.log.manifest;

import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The versions of one shard's manifest in the store. Owned by a loop, on which all futures complete; one {@link #put} at a time.
 *
 * <p>Kept true: a version is made once and whole; a put counts only when a listing after it shows no higher version (old
 * versions are deleted, so a key may be free again); a put whose outcome is unknown is repeated with the same bytes until it is
 * known, because the version may appear later and then counts.
 */
public final class ManifestStore {

    /** What became of a put. */
    public enum Outcome {
        /** It is the current manifest, or was after it was put. */
        CURRENT,
        /** Somebody else made this or a higher version. */
        TAKEN
    }

    /** Versions that are kept, the current one included. */
    static final int KEPT_VERSIONS = 8;

    private static final int LIST_LIMIT = 1_000;
    private static final long FIRST_PAUSE_MS = 20;
    private static final long LONGEST_PAUSE_MS = 2_000;
    private static final int READ_TRIES = 8;

    private final Store store;
    private final Loop loop;
    private final int shard;
    private final String prefix;
    private boolean ended;

    public ManifestStore(Store store, Loop loop, int shard) {
        this.store = store;
        this.loop = loop;
        this.shard = shard;
        this.prefix = "shard/" + shard + "/manifest/";
    }

    private ObjectKey key(long version) {
        return ObjectKey.of(prefix + ObjectKey.padded(version));
    }

    /** No more retries: what is still pending fails. */
    public void end() {
        ended = true;
    }

    /**
     * The current manifest; empty if the shard never had one. Fails with a StoreException: UNAVAILABLE after some tries, CORRUPT if
     * the current one is damaged (an older one would bring back what was deleted since).
     */
    public CompletableFuture<Optional<Manifest>> readCurrent() {
        return readAfter("");
    }

    /** The current manifest if its version is higher than the one that is known; fails as {@link #readCurrent}. One listing if there is none. */
    public CompletableFuture<Optional<Manifest>> readNewer(long knownVersion) {
        return readAfter(key(knownVersion).value());
    }

    private CompletableFuture<Optional<Manifest>> readAfter(String startAfter) {
        return Retry.on(
                loop,
                () -> newest(startAfter)
                        .thenCompose(newest -> newest.isEmpty()
                                ? CompletableFuture.completedFuture(Optional.<Manifest>empty())
                                : read(newest.get()).thenApply(Optional::of)),
                (cause, failures) ->
                        ended || failures >= READ_TRIES || !retriable(cause) ? Retry.GIVE_UP : pause(failures));
    }

    /** The listed object with the highest version, looking from {@code startAfter} on. */
    private CompletableFuture<Optional<ObjectStat>> newest(String startAfter) {
        return store.list(prefix, startAfter, LIST_LIMIT).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            ObjectStat last = found.get(found.size() - 1);
            return found.size() < LIST_LIMIT
                    ? CompletableFuture.completedFuture(Optional.of(last))
                    : newest(last.key().value()).thenApply(later -> later.isEmpty() ? Optional.of(last) : later);
        });
    }

    private CompletableFuture<Manifest> read(ObjectStat stat) {
        return bytes(stat.key(), stat.sizeBytes()).thenApply(bytes -> {
            Manifest manifest = ManifestCodec.decode(stat.key(), bytes);
            if (manifest.shard() != shard || !stat.key().equals(key(manifest.version()))) {
                throw new StoreException(
                        StoreException.Kind.CORRUPT,
                        "object " + stat.key() + " holds manifest " + manifest.version() + " of shard "
                                + manifest.shard());
            }
            return manifest;
        });
    }

    private CompletableFuture<ByteBuffer> bytes(ObjectKey key, long size) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(size));
        return store.read(key, 0, bytes).thenApply(read -> bytes.flip());
    }

    /**
     * Puts a version and makes sure that it counts. Does not give up while the outcome is unknown: only {@link #end} makes it
     * fail, or a StoreException of kind INVALID.
     */
    public CompletableFuture<Outcome> put(Manifest manifest) {
        ByteBuffer bytes = ManifestCodec.encode(manifest);
        return Retry.on(loop, () -> settle(key(manifest.version()), bytes), this::untilKnown)
                .thenCompose(outcome -> outcome == Outcome.TAKEN
                        ? CompletableFuture.completedFuture(outcome)
                        : Retry.on(loop, () -> confirm(manifest.version()), this::untilKnown))
                .thenApply(outcome -> {
                    if (outcome == Outcome.CURRENT) {
                        forgetOld(manifest.version());
                    }
                    return outcome;
                });
    }

    private long untilKnown(Throwable cause, int failures) {
        return ended || !retriable(cause) ? Retry.GIVE_UP : pause(failures);
    }

    private static long pause(int failures) {
        return Retry.doubling(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    }

    private CompletableFuture<Outcome> settle(ObjectKey key, ByteBuffer bytes) {
        return store.putIfAbsent(key, bytes.duplicate()).thenCompose(outcome -> switch (outcome) {
            case WRITTEN -> CompletableFuture.completedFuture(Outcome.CURRENT);
            case ALREADY_EXISTS -> isOurs(key, bytes).thenApply(ours -> ours ? Outcome.CURRENT : Outcome.TAKEN);
            case OUTCOME_UNKNOWN ->
                CompletableFuture.failedFuture(new StoreException(
                        StoreException.Kind.UNAVAILABLE, "whether " + key + " was written is not known"));
        });
    }

    /** Whether the object that is there is the one an earlier, ambiguous attempt of ours has made. */
    private CompletableFuture<Boolean> isOurs(ObjectKey key, ByteBuffer bytes) {
        // One byte more than ours, so that a longer object does not pass.
        ByteBuffer found = ByteBuffer.allocate(bytes.remaining() + 1);
        return store.read(key, 0, found).thenApply(read -> found.flip().equals(bytes));
    }

    private CompletableFuture<Outcome> confirm(long version) {
        return store.list(prefix, key(version).value(), 1)
                .thenApply(found -> found.isEmpty() ? Outcome.CURRENT : Outcome.TAKEN);
    }

    /** Deletes what is too old. What fails is found again by a later call. */
    private void forgetOld(long version) {
        if (version < KEPT_VERSIONS) {
            return;
        }
        CompletableFuture<Void> swept = store.list(prefix, "", LIST_LIMIT).thenCompose(found -> {
            CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
            for (ObjectKey key : tooOld(found, version)) {
                last = last.thenCompose(done -> store.delete(key));
            }
            return last;
        });
        var unused = swept.exceptionally(thrown -> null);
    }

    private List<ObjectKey> tooOld(List<ObjectStat> found, long version) {
        ObjectKey oldestKept = key(version - KEPT_VERSIONS + 1);
        return found.stream()
                .map(ObjectStat::key)
                .filter(key -> key.compareTo(oldestKept) < 0)
                .toList();
    }

    /** NOT_FOUND included: between a listing and a read the object became an old version and was deleted. */
    private static boolean retriable(Throwable cause) {
        return cause instanceof StoreException e
                && e.kind() != StoreException.Kind.CORRUPT
                && e.kind() != StoreException.Kind.INVALID;
    }
}
