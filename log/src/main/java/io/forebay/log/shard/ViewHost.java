package io.forebay.log.shard;

import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalEntry;
import io.forebay.log.partition.JournalFile;
import io.forebay.log.partition.PartitionHost;
import io.forebay.log.partition.PartitionState;
import io.forebay.log.segment.SegmentIndexes;
import io.forebay.model.Loop;
import io.forebay.model.ShardId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What a {@link ShardView} is to its partitions: a place to read from segments, where nothing is ever appended. Owned by the view's loop. */
final class ViewHost implements PartitionHost {

    private final ShardId id;
    private final Loop loop;
    private final PageCache cache;
    private final SegmentIndexes indexes;
    private final JournalEndedException notOwner;

    ViewHost(ShardId id, Loop loop, PageCache cache, SegmentIndexes indexes) {
        this.id = id;
        this.loop = loop;
        this.cache = cache;
        this.indexes = indexes;
        this.notOwner = new JournalEndedException(
                JournalEndedException.Reason.CLOSED, "shard " + id + " is only read here, its owner is another node");
    }

    @Override
    public int shard() {
        return id.value();
    }

    @Override
    public long epoch() {
        return -1;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public PageCache cache() {
        return cache;
    }

    @Override
    public SegmentIndexes segmentIndexes() {
        return indexes;
    }

    @Override
    public JournalEndedException ended() {
        return notOwner;
    }

    /** The owner may have deleted whatever is named here. */
    @Override
    public boolean decidesWhatIsNamed() {
        return false;
    }

    @Override
    public CompletableFuture<Boolean> prove() {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public int maxBatchBytes() {
        return 0;
    }

    @Override
    public void announce() {}

    @Override
    public void arrived() {}

    @Override
    public void append(JournalEntry entry) {
        throw notOwner;
    }

    @Override
    public void entryDurable(JournalFile file, int endPosition) {}

    @Override
    public void entryFailed(JournalEndedException cause) {}

    @Override
    public void whenDurable(Runnable task, Consumer<RuntimeException> failed) {
        failed.accept(notOwner);
    }

    @Override
    public JournalFile ownFile(long number) {
        throw notOwner;
    }

    @Override
    public void advanced(PartitionState partition) {}

    @Override
    public void neededLess() {}

    @Override
    public void unflushedChanged(int frames, long bytes) {}
}
