package io.forebay.log.partition;

import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalEntry;
import io.forebay.log.segment.SegmentIndexes;
import io.forebay.model.Loop;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a partition needs of the shard it lives in. All on the shard loop. */
public interface PartitionHost {

    int shard();

    long epoch();

    Loop loop();

    PageCache cache();

    /** Indexes of segments, for readers of old data. */
    SegmentIndexes segmentIndexes();

    /** Why nothing can be appended any more, or null as long as it can. */
    @Nullable
    JournalEndedException ended();

    /** Whether nothing that is named here is deleted by anybody else, as long as the session stands. */
    default boolean decidesWhatIsNamed() {
        return true;
    }

    /** Looks whether this session still stands: see {@link io.forebay.log.journal.Journal#prove}. */
    CompletableFuture<Boolean> prove();

    /** The largest batch that the journal takes. */
    int maxBatchBytes();

    /** See {@link io.forebay.log.journal.Journal#announce}. Any thread. */
    void announce();

    /** See {@link io.forebay.log.journal.Journal#arrived}. Any thread. */
    void arrived();

    /** Hands an entry to the journal; {@link #entryDurable} or {@link #entryFailed} follows, in order. */
    void append(JournalEntry entry);

    /** The first entry that was still open is durable and ends before {@code endPosition}. Called before the entry's listener. */
    void entryDurable(JournalFile file, int endPosition);

    void entryFailed(JournalEndedException cause);

    /** Runs the task when everything appended to the shard so far is durable: at once if it is. */
    void whenDurable(Runnable task, Consumer<RuntimeException> failed);

    /** The file of the own session's journal. */
    JournalFile ownFile(long number);

    /** Calls {@link PartitionState#notifyAdvance} soon, once for all that becomes durable together. */
    void advanced(PartitionState partition);

    /** Records were trimmed or dropped: segments may hold what nobody needs. */
    void neededLess();

    /** Frames and bytes that are not yet in segments have changed by this much. */
    void unflushedChanged(int frames, long bytes);
}
