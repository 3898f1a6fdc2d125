package io.forebay.log.journal;

/** All frames of one fenced session, in memory, by lane, shard, partition. Immutable; any thread. */
public final class SessionIndex {

    SessionIndex() {}

    public String prefix() {
        throw new UnsupportedOperationException();
    }

    public long session() {
        throw new UnsupportedOperationException();
    }

    /** The position behind the last frame of the lane. The same for everyone who ever asks. */
    public JournalPosition end(int lane) {
        throw new UnsupportedOperationException();
    }

    /**
     * The frames of one shard and epoch from {@code from} (inclusive) to {@code to} (exclusive). Order: by file; within a file
     * partition after partition; within a partition by position.
     */
    public FrameCursor frames(int lane, int shard, long epoch, JournalPosition from, JournalPosition to) {
        throw new UnsupportedOperationException();
    }
}
