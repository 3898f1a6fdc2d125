package io.forebay.log.shard;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.cache.PageCache;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestStore;
import io.forebay.log.partition.PartitionState;
import io.forebay.log.partition.SegmentParts;
import io.forebay.log.segment.SegmentIndexes;
import io.forebay.model.ByteRun;
import io.forebay.model.Clock;
import io.forebay.model.LongMap;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import io.forebay.store.StoreRetryPolicy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A shard that another node owns, as far as it can be read straight from the store: what the segments of its current manifest hold, never journals. Owned by its loop, on
 * which every method is called and every future completes. Nothing has to be closed.
 *
 * <p>Kept true: everything that is served is named by a manifest that was current at most {@link #FRESH_MS} before the read began, and so was below the high watermark; a
 * read that needs the last stable offset stays below the one stored there. An object that is gone was replaced: the manifest is read again.
 */
public final class ShardView {

    /** How old the knowledge of which manifest is current may be, ms. */
    static final long FRESH_MS = 1_000;

    /** Objects that were replaced while they were being read, one after the other, before a reader is sent to the owner. */
    private static final int MOST_REPLACED = 4;

    private final Store store;
    private final Loop loop;
    private final Clock clock;
    private final ViewHost host;
    private final ManifestStore manifests;

    private @Nullable Manifest manifest;
    private LongMap<PartitionMemory> memories = new LongMap<>();
    private LongMap<SegmentParts> parts = new LongMap<>();
    private final LongMap<PartitionState> partitions = new LongMap<>();
    private @Nullable CompletableFuture<Void> looking;
    private boolean looked;
    private long lookedAtNanos;

    /** @param indexes shared by all shards of the loop */
    public ShardView(ShardId id, Store store, PageCache cache, Loop loop, Clock clock, SegmentIndexes indexes) {
        this.store = store;
        this.loop = loop;
        this.clock = clock;
        this.host = new ViewHost(id, loop, cache, indexes);
        this.manifests = new ManifestStore(store, loop, id.value());
    }

    /** What was read, and what was known of the partition then. */
    public record Found(ByteRun records, PartitionView partition) {}

    /** What can be read of a partition; empty if segments hold nothing of it. Fails with a StoreException if the store does not answer. */
    public CompletableFuture<Optional<PartitionView>> partition(long partitionId) {
        return freshen().thenApply(done -> find(partitionId));
    }

    /**
     * Whole batches from the one that holds {@code offset} on.
     *
     * @param committed whether to stay below the last stable offset
     * @param maxBytes stops before the batch that would exceed it
     * @param minOneBatch the first batch is returned even if it is larger than that
     * @return empty if the offset is not available here: ask the owner. Fails with a StoreException if the store does not answer, with {@link
     *     io.forebay.log.partition.CorruptRangeException} if the bytes are damaged
     */
    public CompletableFuture<Optional<Found>> read(
            long partitionId, long offset, boolean committed, int maxBytes, boolean minOneBatch) {
        return freshen().thenCompose(done -> attempt(partitionId, offset, committed, maxBytes, minOneBatch, 1));
    }

    private CompletableFuture<Optional<Found>> attempt(
            long partitionId, long offset, boolean committed, int maxBytes, boolean minOneBatch, int number) {
        Optional<PartitionView> found = find(partitionId);
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        PartitionView partition = found.get();
        long limit = committed ? partition.lastStableOffset() : partition.endOffset();
        if (offset < partition.startOffset() || offset >= limit) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return partition
                .read(offset, limit, maxBytes, minOneBatch)
                .thenApply(records -> Optional.of(new Found(records, partition)))
                .exceptionallyComposeAsync(
                        thrown -> {
                            if (!isGone(thrown)) {
                                return CompletableFuture.failedFuture(Retry.unwrap(thrown));
                            }
                            return number == MOST_REPLACED
                                    ? CompletableFuture.completedFuture(Optional.empty())
                                    : look().thenCompose(done ->
                                            attempt(partitionId, offset, committed, maxBytes, minOneBatch, number + 1));
                        },
                        loop);
    }

    private static boolean isGone(Throwable thrown) {
        return Retry.unwrap(thrown) instanceof StoreException cause && cause.kind() == StoreException.Kind.NOT_FOUND;
    }

    private Optional<PartitionView> find(long partitionId) {
        PartitionState known = partitions.get(partitionId);
        PartitionMemory memory = memories.get(partitionId);
        if (known == null && memory != null) {
            SegmentParts held = parts.get(partitionId);
            known = PartitionState.inSegments(host, memory, held == null ? SegmentParts.NONE : held);
            partitions.put(partitionId, known);
        }
        return Optional.ofNullable(known).map(PartitionView::new);
    }

    /** Makes sure that the manifest was current a moment ago. */
    private CompletableFuture<Void> freshen() {
        return looked && clock.nanos() - lookedAtNanos < FRESH_MS * 1_000_000
                ? CompletableFuture.completedFuture(null)
                : look();
    }

    /** Looks for a newer manifest, once for all who wait. */
    private CompletableFuture<Void> look() {
        CompletableFuture<Void> running = looking;
        if (running != null) {
            return running.copy();
        }
        long fromNanos = clock.nanos();
        CompletableFuture<Void> result = new CompletableFuture<>();
        looking = result;
        Manifest known = manifest;
        CompletableFuture<Optional<Manifest>> newer =
                known == null ? manifests.readCurrent() : manifests.readNewer(known.version());
        var unused = newer.thenCompose(this::withMemories)
                .whenCompleteAsync(
                        (found, thrown) -> {
                            looking = null;
                            if (thrown != null) {
                                result.completeExceptionally(Retry.unwrap(thrown));
                                return;
                            }
                            found.ifPresent(this::install);
                            looked = true;
                            lookedAtNanos = fromNanos;
                            result.complete(null);
                        },
                        loop);
        return result;
    }

    /** A manifest and what it remembers. */
    private record Version(Manifest manifest, Optional<List<PartitionMemory>> memories) {}

    private CompletableFuture<Optional<Version>> withMemories(Optional<Manifest> newer) {
        if (newer.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        Manifest found = newer.get();
        Manifest before = manifest;
        if (before != null && before.snapshot().isPresent() && before.snapshot().equals(found.snapshot())) {
            // Memories are large, and these are the ones that are known.
            return CompletableFuture.completedFuture(Optional.of(new Version(found, Optional.empty())));
        }
        return Retry.on(loop, () -> Snapshots.memories(store, found), StoreRetryPolicy.DEFAULT)
                .thenApply(memories -> Optional.of(new Version(found, Optional.of(memories))));
    }

    private void install(Version version) {
        manifest = version.manifest();
        parts = ShardSegments.byPartition(version.manifest().segments());
        version.memories().ifPresent(all -> {
            memories = new LongMap<>();
            all.forEach(memory -> memories.put(memory.getPartitionId(), memory));
        });
        version.manifest().deletedPartitions().forEach(memories::remove);
        for (long partitionId : partitions.sortedKeys()) {
            partitions.remove(partitionId);
        }
    }
}
