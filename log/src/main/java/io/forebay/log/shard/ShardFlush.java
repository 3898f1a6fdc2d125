package io.forebay.log.shard;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.manifest.JournalRange;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestCodec;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.partition.FrameRows;
import io.forebay.log.partition.PartitionMemoryCodec;
import io.forebay.log.partition.PartitionState;
import io.forebay.log.partition.SegmentParts;
import io.forebay.model.LongMap;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Moves what a shard has in journals into a segment, up to a cut, and names it in one manifest version whose range begins at
 * the cut and whose memories are as of the cut. Owned by the shard loop, which goes on appending meanwhile; used once.
 *
 * <p>Cut: the memories are taken when the flush begins, with everything appended so far; when all of that is durable, the end of
 * its last frame is the position that goes with them.
 */
final class ShardFlush {

    /** What the flush takes along of one partition. */
    private record Cut(PartitionState partition, long offset) {}

    private final Shard shard;
    private final ShardPorts ports;
    private final List<Cut> cuts = new ArrayList<>();
    private final List<PartitionMemory> memories = new ArrayList<>();
    private final Set<Long> deletedBefore;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    ShardFlush(Shard shard) {
        this.shard = shard;
        this.ports = shard.ports();
        this.deletedBefore = Set.copyOf(shard.deletedPartitions());
    }

    /** Completes on the shard loop when the manifest counts. On failure nothing has changed, and it may be tried again. */
    CompletableFuture<Void> run() {
        int memoryBytes = 0;
        for (PartitionState partition : shard.states()) {
            PartitionMemory memory = PartitionMemoryCodec.encode(partition.partitionId(), partition.memory());
            memories.add(memory);
            memoryBytes += memory.getSerializedSize();
            cuts.add(new Cut(partition, partition.memory().nextOffset()));
        }
        boolean large = memoryBytes > ports.config().snapshotBytes();
        shard.durables().whenDurable(() -> write(large), done::completeExceptionally);
        return done;
    }

    private void write(boolean large) {
        JournalPosition end = shard.endOfOwnFrames();
        List<FrameRows> rows = new ArrayList<>();
        int frames = 0;
        cuts.sort((one, other) ->
                Long.compare(one.partition().partitionId(), other.partition().partitionId()));
        for (Cut cut : cuts) {
            FrameRows of = cut.partition().cut(cut.offset());
            rows.add(of);
            frames += of.frames();
        }
        CompletableFuture<Optional<SegmentEntry>> segment = frames == 0
                ? CompletableFuture.completedFuture(Optional.empty())
                : segment(rows).thenApply(Optional::of);
        CompletableFuture<Optional<ObjectKey>> snapshot =
                large ? snapshot().thenApply(Optional::of) : CompletableFuture.completedFuture(Optional.empty());
        var unused = segment.thenCombine(snapshot, Written::new)
                .whenCompleteAsync(
                        (written, thrown) -> {
                            if (thrown == null) {
                                name(written, end);
                            } else {
                                done.completeExceptionally(thrown);
                            }
                        },
                        ports.loop());
    }

    /** What a flush has put into the store. */
    private record Written(Optional<SegmentEntry> segment, Optional<ObjectKey> snapshot) {}

    private CompletableFuture<SegmentEntry> segment(List<FrameRows> rows) {
        ObjectKey key = shard.names().segment();
        int id = shard.id().value();
        return SegmentAttempt.run(shard, key, writer -> new FlushJob(ports, id, shard.epoch(), rows, writer).run())
                .whenComplete((entry, thrown) -> {
                    if (thrown != null) {
                        ports.loop().execute(() -> shard.garbage().attemptEnded(key));
                    }
                });
    }

    private CompletableFuture<ObjectKey> snapshot() {
        ObjectKey key = shard.names().snapshot();
        ByteBuffer bytes = ManifestCodec.encodeSnapshot(memories);
        return ports.store().putIfAbsent(key, bytes).thenApply(outcome -> {
            if (outcome != PutOutcome.WRITTEN) {
                ports.loop().execute(() -> shard.garbage().attemptEnded(key));
                throw new StoreException(
                        StoreException.Kind.UNAVAILABLE, "snapshot " + key + ": put answered " + outcome);
            }
            return key;
        });
    }

    private void name(Written written, JournalPosition end) {
        if (!shard.isOpen()) {
            done.completeExceptionally(new IllegalStateException("shard " + shard.id() + " is not open any more"));
            return;
        }
        var unused = shard.updates()
                .update(manifest -> next(manifest, written, end))
                .whenComplete((manifest, thrown) -> {
                    if (thrown == null) {
                        shard.confirmed(manifest);
                        install(manifest);
                        done.complete(null);
                    } else {
                        done.completeExceptionally(thrown);
                    }
                });
    }

    private Manifest next(Manifest manifest, Written written, JournalPosition end) {
        JournalRange own = manifest.ranges().get(manifest.ranges().size() - 1);
        JournalRange rest = new JournalRange(own.session(), own.lane(), own.epoch(), end, Optional.empty());
        List<SegmentEntry> segments = new ArrayList<>(manifest.segments());
        written.segment().ifPresent(segments::add);
        shard.deletedPartitions().removeAll(deletedBefore);
        boolean inSnapshot = written.snapshot().isPresent();
        return manifest.withRanges(false, List.of(rest), inSnapshot ? List.of() : liveMemories(), written.snapshot())
                .withContent(shard.stillNeeded(segments), List.copyOf(shard.deletedPartitions()));
    }

    private List<PartitionMemory> liveMemories() {
        // Of a partition that was deleted since, the delete frame lies behind the cut: replaying it needs nothing of
        // it.
        return memories.stream()
                .filter(memory -> shard.has(memory.getPartitionId()))
                .toList();
    }

    private void install(Manifest manifest) {
        LongMap<SegmentParts> parts = ShardSegments.byPartition(manifest.segments());
        for (Cut cut : cuts) {
            SegmentParts of = parts.get(cut.partition().partitionId());
            cut.partition().flushed(of == null ? SegmentParts.NONE : of, cut.offset());
        }
        shard.garbage().keep(manifest);
    }
}
