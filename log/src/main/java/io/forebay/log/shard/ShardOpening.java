package io.forebay.log.shard;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.journal.FrameCursor;
import io.forebay.log.journal.FrameKind;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.journal.SessionIndex;
import io.forebay.log.manifest.JournalRange;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestStore;
import io.forebay.log.partition.JournalFile;
import io.forebay.log.partition.PartitionState;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.store.StoreRetryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Opens one shard under a new epoch: reads its manifest, takes into account what journals hold behind it, puts the next version
 * with the new epoch and the exact ends of the earlier ones, and proves with a flushed frame that the own session still stands.
 * Owned by the shard loop; used once.
 *
 * <p>Refused as long as anybody else may write to the shard: each range that the manifest names must have a recorded end, or its session must have ended.
 */
public final class ShardOpening {

    /** Races against other openers that are lost before this one gives up; each of them has a higher epoch or is fenced. */
    private static final int MAX_TRIES = 16;

    private final ShardId id;
    private final long epoch;
    private final ShardPorts ports;
    private final PastFrames pastFrames;
    private final ManifestStore manifests;
    private final CompletableFuture<Shard> result = new CompletableFuture<>();
    private @Nullable ShardLostException cancelled;
    /** Whether a manifest of this epoch may be in the store, or come there. */
    private boolean mayCount;

    public ShardOpening(ShardId id, long epoch, ShardPorts ports, PastFrames pastFrames) {
        this.id = id;
        this.epoch = epoch;
        this.ports = ports;
        this.pastFrames = pastFrames;
        this.manifests = new ManifestStore(ports.store(), ports.loop(), id.value());
    }

    /**
     * Completes on the shard loop. Fails with {@link ShardLostException} if a manifest of the same or a higher epoch exists or this was cancelled, with {@link
     * ShardHeldException} if the owner before may still be writing.
     */
    public CompletableFuture<Shard> open() {
        var unused = attempt(1).whenComplete((shard, thrown) -> {
            if (thrown != null) {
                result.completeExceptionally(Retry.unwrap(thrown));
            } else if (!result.complete(shard)) {
                shard.abandon();
            }
        });
        return result;
    }

    /**
     * Gives up. {@link #open} fails once no manifest of this epoch counts or ever will, or a released one does: then others may open the shard. If it
     * is open already nothing happens. Any thread.
     */
    public void cancel() {
        ports.loop().run(() -> {
            cancelled = new ShardLostException("opening shard " + id + " under epoch " + epoch + " was cancelled");
            if (!mayCount) {
                stop(cancelled);
            }
        });
    }

    /** Gives up at once, because the session is over. Any thread. */
    public void abandon() {
        ports.loop()
                .run(() -> stop(new ShardLostException("the session ended while shard " + id + " was being opened")));
    }

    private void stop(ShardLostException cause) {
        cancelled = cause;
        manifests.end();
        result.completeExceptionally(cause);
    }

    private void refuseIfCancelled() {
        if (cancelled != null) {
            throw cancelled;
        }
    }

    private CompletableFuture<Shard> attempt(int tries) {
        return manifests
                .readCurrent()
                .thenCompose(found -> {
                    if (found.isPresent() && found.get().epoch() >= epoch) {
                        throw new ShardLostException("shard " + id + " has a manifest of epoch "
                                + found.get().epoch() + ", not opened under " + epoch);
                    }
                    return memories(found)
                            .thenCombine(ranges(found), (memories, ranges) -> new Past(found, memories, ranges));
                })
                .thenComposeAsync(past -> take(past, tries), ports.loop());
    }

    /** What is known of a shard before it is opened. */
    private record Past(Optional<Manifest> manifest, List<PartitionMemory> memories, List<PastRange> ranges) {}

    /** A range and what it holds. */
    private record PastRange(JournalRange range, SessionIndex index) {}

    private CompletableFuture<List<PartitionMemory>> memories(Optional<Manifest> found) {
        return found.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : Retry.on(
                        ports.loop(), () -> Snapshots.memories(ports.store(), found.get()), StoreRetryPolicy.DEFAULT);
    }

    private CompletableFuture<List<PastRange>> ranges(Optional<Manifest> found) {
        List<CompletableFuture<PastRange>> loading = found.map(Manifest::ranges).orElse(List.of()).stream()
                .map(this::unlessHeld)
                .toList();
        return CompletableFuture.allOf(loading.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> loading.stream().map(CompletableFuture::join).toList());
    }

    /** The range, unless its owner may still be writing to it. Nobody is fenced for it: who has ended is decided elsewhere. */
    private CompletableFuture<PastRange> unlessHeld(JournalRange range) {
        return pastFrames.hasEnded(range.session()).thenCompose(ended -> {
            if (range.to().isEmpty() && !ended) {
                throw new ShardHeldException("shard " + id + " is still owned by session " + range.session()
                        + " under epoch " + range.epoch() + ": neither released nor fenced");
            }
            return pastFrames.index(range).thenApply(index -> new PastRange(range, index));
        });
    }

    private CompletableFuture<Shard> take(Past past, int tries) {
        refuseIfCancelled();
        Shard shard = new Shard(id, epoch, ports);
        List<JournalRange> ranges = restore(shard, past);
        // Nothing of this epoch was appended yet, so all of it will lie behind this position.
        JournalPosition from = ports.journal().nextPosition();
        ranges.add(new JournalRange(ports.session(), ports.journal().path().lane(), epoch, from, Optional.empty()));
        Manifest next = new Manifest(
                id.value(),
                past.manifest().map(manifest -> manifest.version() + 1).orElse(0L),
                epoch,
                ports.session(),
                false,
                ranges,
                past.manifest().map(Manifest::segments).orElse(List.of()),
                past.manifest().map(Manifest::memories).orElse(List.of()),
                past.manifest().flatMap(Manifest::snapshot),
                shard.deletedPartitions().ids());
        mayCount = true;
        return manifests.put(next).thenCompose(outcome -> {
            if (outcome == ManifestStore.Outcome.CURRENT) {
                shard.opened(manifests, next);
                return cancelled == null ? proved(shard) : released(shard);
            }
            mayCount = false;
            refuseIfCancelled();
            if (tries >= MAX_TRIES) {
                throw new ShardLostException("shard " + id + ": others made its manifest " + tries + " times");
            }
            return attempt(tries + 1);
        });
    }

    private CompletableFuture<Shard> proved(Shard shard) {
        CompletableFuture<Shard> open = new CompletableFuture<>();
        shard.host().append(ControlEntry.epochStart(shard.host()));
        shard.host().whenDurable(() -> open.complete(shard), open::completeExceptionally);
        return open.thenCompose(done -> cancelled == null ? CompletableFuture.completedFuture(shard) : released(shard));
    }

    /** Gives up what was opened after all. */
    private CompletableFuture<Shard> released(Shard shard) {
        return shard.release().thenApply(done -> {
            refuseIfCancelled();
            return shard;
        });
    }

    /** Rebuilds the partitions and returns the ranges that hold something, with their exact ends. */
    private List<JournalRange> restore(Shard shard, Past past) {
        if (past.manifest().isEmpty()) {
            return new ArrayList<>();
        }
        Manifest manifest = past.manifest().get();
        shard.deletedPartitions().addPast(manifest.deletedPartitions());
        for (PartitionMemory memory : past.memories()) {
            if (!shard.deletedPartitions().contains(memory.getPartitionId())) {
                shard.restore(PartitionState.restored(shard.host(), memory));
            }
        }
        ShardSegments.install(shard, manifest.segments());
        List<JournalRange> held = new ArrayList<>();
        @Nullable JournalFile first = null;
        for (PastRange one : past.ranges()) {
            JournalRange range = one.range();
            SessionIndex index = one.index();
            if (first == null) {
                first = new JournalFile(
                        new JournalPath(index.prefix(), range.session(), range.lane()),
                        range.from().file());
            }
            JournalPosition to = range.to().orElseGet(() -> index.end(range.lane()));
            if (to.compareTo(range.from()) > 0 && replay(shard, range, index, to)) {
                held.add(range.endedAt(to));
            }
        }
        for (PartitionState partition : shard.states()) {
            partition.replayed(
                    first != null ? first : new JournalFile(ports.journal().path(), 0));
        }
        return held;
    }

    /** Returns whether the range holds anything that must be remembered. */
    private boolean replay(Shard shard, JournalRange range, SessionIndex index, JournalPosition to) {
        JournalPath path = new JournalPath(index.prefix(), range.session(), range.lane());
        FrameCursor frame = index.frames(range.lane(), id.value(), range.epoch(), range.from(), to);
        boolean holds = false;
        JournalFile file = new JournalFile(path, range.from().file());
        // Frames come partition after partition, so each is looked up once and not for each of its frames.
        @Nullable PartitionState partition = null;
        while (frame.next()) {
            if (frame.kind() == FrameKind.EPOCH_START) {
                continue;
            }
            holds = true;
            if (frame.kind() == FrameKind.DELETE_PARTITION) {
                delete(shard, range, frame);
                partition = null;
                continue;
            }
            if (file.number() != frame.file()) {
                file = new JournalFile(path, frame.file());
            }
            if (partition == null || partition.partitionId() != frame.partitionId()) {
                partition = kept(shard, frame.partitionId());
            }
            if (partition != null) {
                partition.replay(frame, file);
            }
        }
        return holds;
    }

    private void delete(Shard shard, JournalRange range, FrameCursor frame) {
        PartitionState partition = shard.stateOrNull(frame.partitionId());
        if (partition != null) {
            shard.drop(partition);
        }
        if (range.session() == ports.session()) {
            JournalPosition end = new JournalPosition(frame.file(), frame.bodyPosition());
            shard.deletedPartitions().add(frame.partitionId(), end);
        } else {
            shard.deletedPartitions().addPast(List.of(frame.partitionId()));
        }
    }

    /** Null if the partition was deleted. */
    private static @Nullable PartitionState kept(Shard shard, long partitionId) {
        return shard.deletedPartitions().contains(partitionId) ? null : shard.state(partitionId);
    }
}
