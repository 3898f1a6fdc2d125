package io.forebay.log.shard;

import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.JournalDamage;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalEntry;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.manifest.JournalRange;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestStore;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.partition.JournalFile;
import io.forebay.log.partition.PartitionHost;
import io.forebay.log.partition.PartitionLog;
import io.forebay.log.partition.PartitionMemory;
import io.forebay.log.partition.PartitionState;
import io.forebay.log.segment.SegmentIndexes;
import io.forebay.model.LongMap;
import io.forebay.model.Loop;
import io.forebay.model.ShardId;
import io.forebay.store.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An open shard: this session owns it and may append. Owned by its loop.
 *
 * <p>open → releasing → released, or at any time → abandoned. Once it is not open it takes no appends and writes no manifest,
 * and it never becomes open again: a later owner makes a new one under a higher epoch.
 */
public final class Shard {

    private final ShardId id;
    private final long epoch;
    private final ShardPorts ports;
    private final Host host = new Host();
    private final DurableQueue durables = new DurableQueue();
    private final LongMap<PartitionState> partitions = new LongMap<>();
    private final DeletedPartitions deletedPartitions = new DeletedPartitions();
    private final List<Runnable> whenClosed = new ArrayList<>();

    private final ObjectNames names;
    private final Set<String> damagedSegments = new HashSet<>();
    /** Bytes that were needed of segments of this epoch when they were made. */
    private final Map<ObjectKey, Long> bornBytes = new HashMap<>();

    private @Nullable ManifestUpdates updates;
    private volatile @Nullable Garbage garbage;
    private @Nullable JournalEndedException ended;
    private @Nullable JournalFile lastFile;
    private int lastEnd;

    private State state = State.OPEN;
    private long unflushedBytes;
    private int unflushedFrames;

    /** Copies for other threads, written by the shard loop. */
    private volatile long publishedBytes;

    private volatile int publishedFrames;
    private volatile int neededLess;
    private volatile @Nullable Manifest confirmed;

    private enum State {
        /** → RELEASING, CLOSED. Takes appends (once {@link #opened}). */
        OPEN,
        /** → CLOSED. What was appended before still becomes durable. */
        RELEASING,
        /** Final: released or abandoned. */
        CLOSED
    }

    Shard(ShardId id, long epoch, ShardPorts ports) {
        this.id = id;
        this.epoch = epoch;
        this.ports = ports;
        this.names = new ObjectNames(id.value(), epoch, ports.uniqueSalt());
    }

    public ShardId id() {
        return id;
    }

    public long epoch() {
        return epoch;
    }

    public Loop loop() {
        return ports.loop();
    }

    /** The partition, or null if this shard has none with that id (never created here, or deleted). */
    public @Nullable PartitionLog partition(long partitionId) {
        PartitionState partition = partitions.get(partitionId);
        return partition == null ? null : partition.log();
    }

    /** The ids of all partitions that this shard holds something of, ascending. The owner compares them with the root's image. */
    public long[] partitionIds() {
        return partitions.sortedKeys();
    }

    /** Begins an empty partition, or returns it if it exists. Nothing is written: the root's record is what makes it exist. */
    public PartitionLog createPartition(long partitionId) {
        if (deletedPartitions.contains(partitionId)) {
            throw new IllegalArgumentException("partition " + partitionId + " was deleted; ids are never used again");
        }
        return state(partitionId).log();
    }

    /** Drops a partition whose deletion the root has recorded; its bytes go with the next flushes and merges. */
    public void deletePartition(long partitionId) {
        PartitionState partition = partitions.get(partitionId);
        if (partition != null && ended == null) {
            drop(partition);
            deletedPartitions.add(partitionId);
            host.append(ControlEntry.deletePartition(
                    host, partitionId, end -> deletedPartitions.durable(partitionId, end)));
        }
    }

    /**
     * Stops appends, waits for the flush of what is in flight, has the journal close the file that holds the last of it, so that the next owner reads
     * an index and not the frames, and writes the released manifest. Cannot be taken back.
     */
    public CompletableFuture<Void> release() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        JournalEndedException before = ended;
        if (before != null) {
            released.completeExceptionally(before);
            return released;
        }
        state = State.RELEASING;
        ended = new JournalEndedException(JournalEndedException.Reason.CLOSED, "shard " + id + " is being released");
        durables.whenDurable(
                () -> {
                    var unused = endOfReleased().thenAccept(end -> putReleased(end, released));
                },
                released::completeExceptionally);
        return released;
    }

    /** Where the frames of this epoch end, all of which are durable. Empty if there are none. Completes on the shard loop, never fails. */
    private CompletableFuture<Optional<JournalPosition>> endOfReleased() {
        JournalFile file = lastFile;
        if (file == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        JournalPosition end = new JournalPosition(file.number(), lastEnd);
        return ports.journal()
                .roll(file.number())
                .handleAsync(
                        // Without a roll the next owner reads the frames.
                        (rolled, thrown) -> Optional.of(thrown == null ? rolled.orElse(end) : end), ports.loop());
    }

    private void putReleased(Optional<JournalPosition> end, CompletableFuture<Void> released) {
        var unused = updates().update(manifest -> releasedAt(manifest, end)).whenComplete((manifest, thrown) -> {
            state = State.CLOSED;
            if (thrown == null) {
                confirmed = manifest;
            }
            close();
            if (thrown == null) {
                released.complete(null);
            } else {
                released.completeExceptionally(thrown);
            }
        });
    }

    private static Manifest releasedAt(Manifest manifest, Optional<JournalPosition> end) {
        List<JournalRange> ranges = new ArrayList<>(manifest.ranges());
        JournalRange own = ranges.remove(ranges.size() - 1);
        end.filter(position -> position.compareTo(own.from()) > 0)
                .ifPresent(position -> ranges.add(own.endedAt(position)));
        return manifest.withRanges(true, ranges, manifest.memories(), manifest.snapshot());
    }

    /** Drops the shard at once: the session is over. */
    public void abandon() {
        end(new JournalEndedException(JournalEndedException.Reason.CLOSED, "shard " + id + " was abandoned"));
    }

    /** Runs once when the shard is neither open nor being released any more. On the shard loop. */
    public void whenClosed(Runnable task) {
        whenClosed.add(task);
    }

    /** Bytes of batches that are not yet in a segment. Any thread; may be a little behind. */
    public long unflushedBytes() {
        return publishedBytes;
    }

    /** Frames that are not yet in a segment. Any thread; may be a little behind. */
    public int unflushedFrames() {
        return publishedFrames;
    }

    /** The newest manifest that is known to count. Any thread; may be a little behind. */
    public Manifest manifest() {
        Manifest manifest = confirmed;
        if (manifest == null) {
            throw new IllegalStateException("shard " + id + " is not open yet");
        }
        return manifest;
    }

    // ---- what the node has a shard do, each on the shard loop -------------------------------------------------------

    /** Moves what is in journals into a segment. On failure nothing has changed. One at a time. */
    public CompletableFuture<Void> flush() {
        return isOpen() ? new ShardFlush(this, Optional.empty()).run() : notOpen();
    }

    /**
     * The same up to a file of the own journal: what lies in it or behind it stays. Then no earlier file and no journal of the past is needed
     * by this shard any more.
     *
     * @param firstFile all before it take no more frames
     */
    public CompletableFuture<Void> flushBefore(long firstFile) {
        return isOpen() ? new ShardFlush(this, Optional.of(new JournalPosition(firstFile, 0))).run() : notOpen();
    }

    /** Grows whenever records were trimmed or dropped: {@link #merge} may have something to do then. Any thread. */
    public int neededLess() {
        return neededLess;
    }

    /**
     * Stops naming segments of which nothing is needed any more, or merges some if there are enough of a kind; completes with whether
     * there was anything to do. One at a time.
     */
    public CompletableFuture<Boolean> merge() {
        if (!isOpen()) {
            return notOpen();
        }
        List<SegmentEntry> segments = updates().current().segments();
        List<SegmentEntry> needed = stillNeeded(segments);
        if (!needed.equals(segments)) {
            return prune().thenApply(done -> true);
        }
        List<SegmentEntry> chosen = new MergePolicy(
                        ports.config().mergeFanIn(), ports.config().largestSegmentBytes())
                .choose(needed, damagedSegments, this::bornBytes);
        return chosen.isEmpty()
                ? CompletableFuture.completedFuture(false)
                : new ShardMerge(this, chosen).run().thenApply(done -> true);
    }

    private CompletableFuture<Void> prune() {
        return updates()
                .update(manifest -> manifest.withSegments(List.of())
                        .withContent(stillNeeded(manifest.segments()), deletedPartitions.ids()))
                .thenAccept(manifest -> {
                    confirmed(manifest);
                    ShardSegments.install(this, manifest.segments());
                    garbage().keep(manifest);
                });
    }

    private long bornBytes(SegmentEntry segment) {
        Long born = bornBytes.get(segment.key());
        return born == null ? segment.sizeBytes() : born;
    }

    /** Whether {@link #collectGarbage} will have something to do. Any thread; may be a little behind. */
    public boolean hasGarbage() {
        return garbage().any();
    }

    /** Deletes replaced objects whose grace period is over. Never fails: what could not be deleted is tried again later. */
    public CompletableFuture<Void> collectGarbage() {
        return isOpen() && garbage().isDue() ? garbage().collect() : CompletableFuture.completedFuture(null);
    }

    /** Deletes what owners of earlier epochs have left unnamed. Never fails. */
    public CompletableFuture<Void> sweepOrphans() {
        return isOpen() ? garbage().sweep() : CompletableFuture.completedFuture(null);
    }

    /** Forgets where flushed frames lie whose bytes have left memory. */
    public void forgetFlushed(PartitionState.FramePlace gone) {
        for (PartitionState partition : partitions.values()) {
            partition.forgetFlushed(gone);
        }
    }

    private <T> CompletableFuture<T> notOpen() {
        return CompletableFuture.failedFuture(new ShardClosedException(id));
    }

    // ---- used while opening, and by flushing and merging -----------------------------------------------------------

    PartitionHost host() {
        return host;
    }

    ShardPorts ports() {
        return ports;
    }

    PartitionState state(long partitionId) {
        PartitionState partition = partitions.get(partitionId);
        if (partition == null) {
            partition = new PartitionState(host, partitionId, new PartitionMemory());
            partitions.put(partitionId, partition);
        }
        return partition;
    }

    @Nullable
    PartitionState stateOrNull(long partitionId) {
        return partitions.get(partitionId);
    }

    boolean has(long partitionId) {
        return partitions.get(partitionId) != null;
    }

    List<PartitionState> states() {
        return partitions.values();
    }

    DeletedPartitions deletedPartitions() {
        return deletedPartitions;
    }

    void restore(PartitionState partition) {
        partitions.put(partition.partitionId(), partition);
    }

    /** The caller notes the deletion. */
    void drop(PartitionState partition) {
        partition.drop();
        partitions.remove(partition.partitionId());
    }

    /** Appends may begin: the manifest of this epoch counts. */
    void opened(ManifestStore manifests, Manifest manifest) {
        confirmed = manifest;
        updates = new ManifestUpdates(manifests, manifest, this::lost);
        garbage = new Garbage(this, manifest, manifests);
    }

    ManifestUpdates updates() {
        ManifestUpdates open = updates;
        if (open == null) {
            throw new IllegalStateException("shard " + id + " is not open yet");
        }
        return open;
    }

    boolean isOpen() {
        return ended == null;
    }

    DurableQueue durables() {
        return durables;
    }

    void confirmed(Manifest manifest) {
        confirmed = manifest;
        Set<ObjectKey> named = new HashSet<>();
        for (SegmentEntry segment : manifest.segments()) {
            named.add(segment.key());
            if (ObjectNames.epochOf(id.value(), segment.key()) == epoch) {
                bornBytes.putIfAbsent(segment.key(), segment.liveBytes());
            }
        }
        bornBytes.keySet().retainAll(named);
    }

    /**
     * The position behind everything of this epoch that is durable: behind the last such frame, or where the journal goes on if
     * nothing is in flight.
     */
    JournalPosition endOfOwnFrames() {
        JournalFile file = lastFile;
        JournalPosition next = ports.journal().nextPosition();
        if (file == null) {
            return next;
        }
        JournalPosition end = new JournalPosition(file.number(), lastEnd);
        return durables.allDurable() && next.compareTo(end) > 0 ? next : end;
    }

    ObjectNames names() {
        return names;
    }

    Garbage garbage() {
        Garbage open = garbage;
        if (open == null) {
            throw new IllegalStateException("shard " + id + " is not open yet");
        }
        return open;
    }

    /** Segments without the parts that nobody needs any more: of deleted partitions, or trimmed away. */
    List<SegmentEntry> stillNeeded(List<SegmentEntry> segments) {
        List<SegmentEntry> needed = new ArrayList<>();
        for (SegmentEntry segment : segments) {
            List<SegmentPart> parts = new ArrayList<>();
            for (SegmentPart part : segment.parts()) {
                PartitionState partition = partitions.get(part.partitionId());
                if (partition != null && part.nextOffset() > partition.log().startOffset()) {
                    parts.add(part);
                }
            }
            if (parts.size() == segment.parts().size()) {
                needed.add(segment);
            } else if (!parts.isEmpty()) {
                needed.add(new SegmentEntry(segment.key(), segment.sizeBytes(), segment.level(), parts));
            }
        }
        return needed;
    }

    /** A segment that cannot be merged because its index is damaged; readers are told when they get there. */
    void damagedSegment(CorruptRangeException damage) {
        damagedSegments.add(damage.object());
        ports.damage()
                .damaged(new JournalDamage(
                        ObjectKey.of(damage.object()),
                        damage.position(),
                        0,
                        Optional.of(new JournalDamage.Frame(
                                id.value(), epoch, damage.partitionId(), damage.firstOffset(), (int)
                                        Math.min(Integer.MAX_VALUE, damage.nextOffset() - damage.firstOffset()))),
                        String.valueOf(damage.getMessage())));
    }

    private void lost(RuntimeException cause) {
        end(new JournalEndedException(
                JournalEndedException.Reason.FENCED, "shard " + id + " is lost: " + cause.getMessage()));
    }

    private void end(JournalEndedException cause) {
        if (ended == null) {
            ended = cause;
        }
        state = State.CLOSED;
        durables.fail(cause);
        if (updates != null) {
            updates.end(cause);
        }
        close();
    }

    private void close() {
        List<Runnable> tasks = List.copyOf(whenClosed);
        whenClosed.clear();
        tasks.forEach(Runnable::run);
    }

    /** What this shard is to its partitions. */
    private final class Host implements PartitionHost {

        @Override
        public int shard() {
            return id.value();
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public Loop loop() {
            return ports.loop();
        }

        @Override
        public PageCache cache() {
            return ports.cache();
        }

        @Override
        public SegmentIndexes segmentIndexes() {
            return ports.indexes();
        }

        @Override
        public @Nullable JournalEndedException ended() {
            return ended;
        }

        @Override
        public CompletableFuture<Boolean> prove() {
            return ports.journal().prove();
        }

        @Override
        public int maxBatchBytes() {
            return ports.journal().maxBodyBytes();
        }

        @Override
        public void announce() {
            ports.journal().announce();
        }

        @Override
        public void arrived() {
            ports.journal().arrived();
        }

        @Override
        public void append(JournalEntry entry) {
            durables.appended();
            ports.journal().append(entry);
        }

        @Override
        public void entryDurable(JournalFile file, int endPosition) {
            lastFile = file;
            lastEnd = endPosition;
            durables.durable();
        }

        @Override
        public void entryFailed(JournalEndedException cause) {
            end(cause);
        }

        @Override
        public void whenDurable(Runnable task, Consumer<RuntimeException> failed) {
            JournalEndedException over = ended;
            if (state == State.CLOSED && over != null) {
                failed.accept(over);
            } else {
                durables.whenDurable(task, failed);
            }
        }

        @Override
        public JournalFile ownFile(long number) {
            JournalFile file = lastFile;
            return file != null && file.number() == number
                    ? file
                    : new JournalFile(ports.journal().path(), number);
        }

        @Override
        public void advanced(PartitionState partition) {
            ports.advances().add(partition);
        }

        @Override
        public void neededLess() {
            int next = neededLess + 1;
            neededLess = next;
        }

        @Override
        public void unflushedChanged(int frames, long bytes) {
            unflushedFrames += frames;
            unflushedBytes += bytes;
            publishedFrames = unflushedFrames;
            publishedBytes = unflushedBytes;
        }
    }
}
