package io.forebay.log.journal;

import io.forebay.model.Loop;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Something that wants to be durable: the content of one frame and what to do when it is.
 *
 * <p>Made on the loop of its owner, then handed to {@link Journal#append} and owned by the journal until one of {@link
 * #durable} and {@link #failed} is called. The journal calls the entries of one loop in the order in which that loop appended
 * them, many in one task.
 */
public abstract class JournalEntry {

    private final FrameKind kind;
    private final int shard;
    private final long epoch;
    private final long partitionId;
    private final long baseOffset;
    private final int recordCount;
    private final ByteBuffer body;
    private final Loop owner;

    /** The entry behind this one, in the queue or in a group. */
    volatile @Nullable JournalEntry next;

    /** Where the frame was written last. Owned by the journal loop until the entry goes back to its owner. */
    long file;

    int bodyPosition;
    int bodyLength;

    /**
     * Makes an entry; nothing happens before {@link Journal#append}.
     *
     * @param body the frame's body from position to limit; must stay unchanged until {@link #copied}; the journal moves its position
     * @param owner the loop on which {@link #durable} and {@link #failed} run
     */
    protected JournalEntry(
            FrameKind kind,
            int shard,
            long epoch,
            long partitionId,
            long baseOffset,
            int recordCount,
            ByteBuffer body,
            Loop owner) {
        this.kind = kind;
        this.shard = shard;
        this.epoch = epoch;
        this.partitionId = partitionId;
        this.baseOffset = baseOffset;
        this.recordCount = recordCount;
        this.body = body;
        this.owner = owner;
    }

    public final FrameKind kind() {
        return kind;
    }

    public final int shard() {
        return shard;
    }

    public final long epoch() {
        return epoch;
    }

    public final long partitionId() {
        return partitionId;
    }

    public final long baseOffset() {
        return baseOffset;
    }

    public final int recordCount() {
        return recordCount;
    }

    public final ByteBuffer body() {
        return body;
    }

    public final Loop owner() {
        return owner;
    }

    /** The journal has its own copy: the body's memory may be used again. On the journal loop, at most once. */
    public abstract void copied();

    /**
     * The frame and all before it are durable.
     *
     * @param file number of the journal file
     * @param bodyPosition where the body begins in that file
     */
    public abstract void durable(long file, int bodyPosition);

    /**
     * The journal ended before this was known to be durable. It may or may not be found by the next owner: the outcome is
     * unknown. The state that was built on it must be dropped.
     */
    public abstract void failed(JournalEndedException cause);
}
