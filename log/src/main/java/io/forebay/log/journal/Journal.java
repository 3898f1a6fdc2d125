package io.forebay.log.journal;

import io.forebay.log.cache.PageCache;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The journal of one lane of one session. */
public final class Journal {

    public Journal(
            JournalPath path,
            Maker maker,
            Store store,
            Loop loop,
            Clock clock,
            PageCache cache,
            JournalConfig config,
            JournalListener listener) {}

    /**
     * Creates file 0. Completes on the journal loop; fails with {@link JournalEndedException} when the session is fenced or
     * the store fails. Entries may be appended before: they wait.
     */
    public CompletableFuture<Void> start() {
        throw new UnsupportedOperationException();
    }

    /**
     * Hands the entry to the journal, which owns it until it calls {@link JournalEntry#durable} or {@link
     * JournalEntry#failed}. From any thread; never blocks, never fails.
     *
     * @throws IllegalArgumentException if the body is larger than {@link #maxBodyBytes}
     */
    public void append(JournalEntry entry) {
        throw new UnsupportedOperationException();
    }

    /** The largest body a frame can have here. */
    public int maxBodyBytes() {
        throw new UnsupportedOperationException();
    }

    /** No entry that is appended after this call will lie before this position. From any thread. */
    public JournalPosition nextPosition() {
        throw new UnsupportedOperationException();
    }

    public JournalPath path() {
        throw new UnsupportedOperationException();
    }

    /** Files of this journal that take no more frames and were not deleted, in order. From any thread. */
    public List<ClosedFile> closedFiles() {
        throw new UnsupportedOperationException();
    }

    /**
     * When the last proof began that this session was not fenced (a successful append, or {@link #prove}), on the clock's
     * monotonic time. From any thread.
     */
    public long provenAtNanos() {
        throw new UnsupportedOperationException();
    }

    /** Looks whether this session is still not fenced, without writing. True: it was not at some time after the call. */
    public CompletableFuture<Boolean> prove() {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends the journal in good order: everything appended before is made durable, the last file gets its index, and this
     * session's own tombstone is put. Entries appended later fail with CLOSED. Completes on the journal loop.
     */
    public CompletableFuture<Void> close() {
        throw new UnsupportedOperationException();
    }
}
