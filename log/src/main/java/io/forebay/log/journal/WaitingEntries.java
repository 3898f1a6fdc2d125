package io.forebay.log.journal;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Entries that were handed to a journal and not taken up yet, and how many bytes their frames will have. Any thread puts; everything else belongs to the journal
 * loop.
 */
final class WaitingEntries {

    private final EntryQueue queue = new EntryQueue();
    /** Whether bytes are counted: that costs every putter. */
    private final boolean counted;

    private final AtomicLong bytes = new AtomicLong();
    /** Taken from the queue, but put back: it goes first. */
    private @Nullable JournalEntry head;

    WaitingEntries(boolean counted) {
        this.counted = counted;
    }

    /** Any thread. The putter must make sure that the journal loop looks again after it. */
    void put(JournalEntry entry) {
        queue.put(entry);
    }

    /** Counts what was put, if bytes are counted. True for the one with which {@code limit} was reached. Any thread. */
    boolean reaches(long limit, long frameBytes) {
        if (!counted) {
            return false;
        }
        long before = bytes.getAndAdd(frameBytes);
        return before < limit && before + frameBytes >= limit;
    }

    /** The next entry, or null if there is none. */
    @Nullable
    JournalEntry take() {
        JournalEntry first = head;
        head = null;
        return first != null ? first : queue.take();
    }

    /** Puts back what was taken last. */
    void giveBack(@Nullable JournalEntry entry) {
        head = entry;
    }

    /** An entry that was taken will not come back. */
    void takenUp(long frameBytes) {
        if (counted) {
            long unused = bytes.addAndGet(-frameBytes);
        }
    }

    boolean isEmpty() {
        if (head == null) {
            head = queue.take();
        }
        return head == null;
    }

    /** Size of all frames that wait, if bytes are counted. */
    long bytes() {
        return bytes.get();
    }
}
