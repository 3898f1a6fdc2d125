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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Opens one shard under a new epoch: reads its manifest, takes into account what journals hold behind it, puts the next version
 * with the new epoch and the exact ends of the earlier ones, and proves with a flushed frame that the own session still stands.
 * Owned by the shard loop; used once.
 *
 * <p>Precondition (the caller's): the owner of every earlier epoch has released the shard, or its session is fenced.
 */
public final class ShardOpening {

    /** Races against other openers that are lost before this one gives up; each of them has a higher epoch or is fenced. */
    private static final int MAX_TRIES = 16;

    private final ShardId id;
    private final long epoch;
    private final ShardPorts ports;
    private final FencedSessions sessions;
    private final Optional<Shard> releasedHere;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final ManifestStore manifests;

    /** @param releasedHere the same shard as this session has released it before; its rows spare reading a journal that is still written */
    public ShardOpening(
            ShardId id, long epoch, ShardPorts ports, FencedSessions sessions, Optional<Shard> releasedHere) {
        this.id = id;
        this.epoch = epoch;
        this.ports = ports;
        this.sessions = sessions;
        this.releasedHere = releasedHere;
        this.manifests = new ManifestStore(ports.store(), ports.loop(), id.value());
    }

    /** Completes on the shard loop; fails with {@link ShardLostException} if a manifest of the same or a higher epoch exists. */
    public CompletableFuture<Shard> open() {
        return attempt(1);
    }

    /** Gives up as soon as possible. The future of {@link #open} fails unless it is complete. Any thread. */
    public void cancel() {
        cancelled.set(true);
        ports.loop().run(manifests::end);
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
                            .thenCombine(indexes(found), (memories, indexes) -> new Past(found, memories, indexes));
                })
                .thenComposeAsync(past -> take(past, tries), ports.loop());
    }

    /** What is known of a shard before it is opened. */
    private record Past(Optional<Manifest> manifest, List<PartitionMemory> memories, Map<Long, SessionIndex> indexes) {}

    private CompletableFuture<List<PartitionMemory>> memories(Optional<Manifest> found) {
        return found.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : Retry.on(
                        ports.loop(), () -> Snapshots.memories(ports.store(), found.get()), StoreRetryPolicy.DEFAULT);
    }

    private CompletableFuture<Map<Long, SessionIndex>> indexes(Optional<Manifest> found) {
        Map<Long, CompletableFuture<SessionIndex>> loading = new HashMap<>();
        if (found.isPresent()) {
            for (JournalRange range : found.get().ranges()) {
                if (range.session() != ports.session()) {
                    loading.computeIfAbsent(range.session(), sessions::index);
                }
            }
        }
        return CompletableFuture.allOf(loading.values().toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> {
                    Map<Long, SessionIndex> indexes = new HashMap<>();
                    loading.forEach((session, index) -> indexes.put(session, index.join()));
                    return indexes;
                });
    }

    private CompletableFuture<Shard> take(Past past, int tries) {
        if (cancelled.get()) {
            throw new ShardLostException("opening shard " + id + " was cancelled");
        }
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
        return manifests.put(next).thenCompose(outcome -> {
            if (outcome == ManifestStore.Outcome.CURRENT) {
                return proved(shard, next);
            }
            if (tries >= MAX_TRIES) {
                throw new ShardLostException("shard " + id + ": others made its manifest " + tries + " times");
            }
            return attempt(tries + 1);
        });
    }

    private CompletableFuture<Shard> proved(Shard shard, Manifest manifest) {
        CompletableFuture<Shard> open = new CompletableFuture<>();
        shard.opened(manifests, manifest);
        shard.host().append(ControlEntry.epochStart(shard.host()));
        shard.host().whenDurable(() -> open.complete(shard), open::completeExceptionally);
        return open;
    }

    /** Rebuilds the partitions and returns the ranges that hold something, with their exact ends. */
    private List<JournalRange> restore(Shard shard, Past past) {
        if (past.manifest().isEmpty()) {
            return new ArrayList<>();
        }
        Manifest manifest = past.manifest().get();
        shard.deletedPartitions().addPast(manifest.deletedPartitions());
        if (manifest.ranges().stream().anyMatch(range -> range.session() == ports.session())) {
            adopt(shard, manifest);
            return new ArrayList<>(manifest.ranges());
        }
        for (PartitionMemory memory : past.memories()) {
            if (!shard.deletedPartitions().contains(memory.getPartitionId())) {
                shard.restore(PartitionState.restored(shard.host(), memory));
            }
        }
        ShardSegments.install(shard, manifest.segments());
        List<JournalRange> held = new ArrayList<>();
        @Nullable JournalFile first = null;
        for (JournalRange range : manifest.ranges()) {
            SessionIndex index = past.indexes().get(range.session());
            if (index == null) {
                throw new IllegalStateException("no index of session " + range.session());
            }
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
            if (file.number() != frame.file()) {
                file = new JournalFile(path, frame.file());
            }
            if (partition == null || partition.partitionId() != frame.partitionId()) {
                partition = kept(shard, frame.partitionId());
            }
            if (partition == null) {
                continue;
            }
            if (frame.kind() == FrameKind.DELETE_PARTITION) {
                shard.drop(partition);
                shard.deletedPartitions().addPast(List.of(frame.partitionId()));
                partition = null;
            } else {
                partition.replay(frame, file);
            }
        }
        return holds;
    }

    /** Null if the partition was deleted. */
    private static @Nullable PartitionState kept(Shard shard, long partitionId) {
        return shard.deletedPartitions().contains(partitionId) ? null : shard.state(partitionId);
    }

    /** Takes over what this session has released before, with all that it had replayed of sessions before it. */
    private void adopt(Shard shard, Manifest manifest) {
        if (releasedHere.isEmpty()
                || !manifest.released()
                || releasedHere.get().manifest().version() != manifest.version()) {
            throw new IllegalStateException("shard " + id + " names this session's journal in manifest "
                    + manifest.version() + ", but was not released here");
        }
        Shard before = releasedHere.get();
        shard.deletedPartitions().addAll(before.deletedPartitions());
        for (PartitionState partition : before.states()) {
            shard.restore(new PartitionState(shard.host(), partition));
        }
    }
}
