package io.forebay.log.shard;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.manifest.JournalRange;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestCodec;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.partition.FrameRows;
import io.forebay.log.partition.JournalFile;
import io.forebay.log.partition.PartitionMemoryCodec;
import io.forebay.log.partition.PartitionState;
import io.forebay.log.partition.SegmentParts;
import io.forebay.model.LongMap;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Moves what a shard has in journals into a segment, up to a cut, and names it in one manifest version whose range begins at
 * the cut. Owned by the shard loop, which goes on appending meanwhile; used once.
 *
 * <p>The memories are taken when the flush begins, with everything appended so far, and the rest waits until all of that is durable.
 * The cut of a whole flush is the end of the last of these frames. The cut of a flush with a limit lies before it: then each memory says
 * how many of the offsets it contains stay in the journal behind the cut. All of them lie in the range, since the limit is a file that
 * begins behind all files that take no more frames: nothing appended from now on comes before it.
 */
final class ShardFlush {

    /** One partition when the flush began. */
    private record Taken(PartitionState partition, PartitionMemory memory) {}

    /** What the flush takes along of one partition: all below the offset. */
    private record Cut(PartitionState partition, long offset) {}

    private final Shard shard;
    private final ShardPorts ports;
    private final Optional<JournalPosition> limit;
    private final List<Taken> taken = new ArrayList<>();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<PartitionMemory> memories = new ArrayList<>();
    /** What lies in the own journal from here on stays. */
    private JournalPosition from = new JournalPosition(0, 0);

    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /** @param limit the start of a file of the own journal: what lies behind it stays; empty: everything is moved */
    ShardFlush(Shard shard, Optional<JournalPosition> limit) {
        this.shard = shard;
        this.ports = shard.ports();
        this.limit = limit;
    }

    /** Completes on the shard loop when the manifest counts. On failure nothing has changed, and it may be tried again. */
    CompletableFuture<Void> run() {
        int memoryBytes = 0;
        for (PartitionState partition : shard.states()) {
            PartitionMemory memory = PartitionMemoryCodec.encode(partition.partitionId(), partition.memory());
            memoryBytes += memory.getSerializedSize();
            taken.add(new Taken(partition, memory));
        }
        boolean large = memoryBytes > ports.config().snapshotBytes();
        shard.durables().whenDurable(() -> write(large), done::completeExceptionally);
        return done;
    }

    private void write(boolean large) {
        from = limit.map(this::behindOthers).orElseGet(shard::endOfOwnFrames);
        List<FrameRows> rows = new ArrayList<>();
        int frames = 0;
        taken.sort(Comparator.comparingLong(one -> one.partition().partitionId()));
        for (Taken one : taken) {
            PartitionState partition = one.partition();
            long next = one.memory().getNextOffset();
            long offset = partition.cutOffset(next, this::stays);
            cuts.add(new Cut(partition, offset));
            memories.add(one.memory().toBuilder().setInJournal(next - offset).build());
            FrameRows of = partition.cut(offset);
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
                                name(written);
                            } else {
                                done.completeExceptionally(thrown);
                            }
                        },
                        ports.loop());
    }

    /** What this session wrote before another one did moves with it: offsets only rise, so nothing before what moves can stay. */
    private JournalPosition behindOthers(JournalPosition position) {
        boolean others = false;
        JournalPosition behind = position;
        for (JournalRange range : shard.updates().current().ranges()) {
            boolean own = range.session() == ports.session();
            if (own && others && range.from().compareTo(behind) > 0) {
                behind = range.from();
            }
            others = !own;
        }
        return behind;
    }

    private boolean stays(JournalFile file, int position) {
        return limit.isPresent()
                && file.path().session() == ports.session()
                && (file.number() > from.file() || (file.number() == from.file() && position >= from.position()));
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

    private void name(Written written) {
        if (!shard.isOpen()) {
            done.completeExceptionally(new ShardClosedException(shard.id()));
            return;
        }
        var unused = shard.updates().update(manifest -> next(manifest, written)).whenComplete((manifest, thrown) -> {
            if (thrown == null) {
                shard.confirmed(manifest);
                install(manifest);
                done.complete(null);
            } else {
                done.completeExceptionally(thrown);
            }
        });
    }

    private Manifest next(Manifest manifest, Written written) {
        List<JournalRange> rest = new ArrayList<>();
        for (JournalRange range : manifest.ranges()) {
            if (range.session() == ports.session()) {
                range.behind(from).ifPresent(rest::add);
            }
        }
        List<SegmentEntry> segments = new ArrayList<>(manifest.segments());
        written.segment().ifPresent(segments::add);
        shard.deletedPartitions().forgetBefore(from);
        boolean inSnapshot = written.snapshot().isPresent();
        return manifest.withRanges(false, rest, inSnapshot ? List.of() : liveMemories(), written.snapshot())
                .withContent(
                        shard.stillNeeded(segments), shard.deletedPartitions().ids());
    }

    private List<PartitionMemory> liveMemories() {
        // One that was deleted since is among the deleted: nothing of it is replayed.
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
