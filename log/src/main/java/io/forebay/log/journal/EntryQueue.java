package io.forebay.log.journal;

import io.forebay.model.Loop;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Entries on their way to the journal loop: many threads put, one takes, nobody waits and nothing is allocated. After D. Vyukov's
 * intrusive queue: a putter swaps itself in as the last and then links its predecessor to itself.
 *
 * <p>Between those two steps the queue looks empty to the taker. So a putter must make sure that the taker looks again <em>after</em>
 * {@link #put} returned.
 */
final class EntryQueue {

    private final JournalEntry stub = new Stub();
    private final AtomicReference<JournalEntry> last = new AtomicReference<>(stub);
    /** Owned by the taker. */
    private JournalEntry first = stub;

    /** Any thread. */
    void put(JournalEntry entry) {
        entry.next = null;
        last.getAndSet(entry).next = entry;
    }

    /** The next entry, or null if there is none that is linked. The taker's thread. */
    @Nullable
    JournalEntry take() {
        JournalEntry head = first;
        JournalEntry second = head.next;
        if (head == stub) {
            if (second == null) {
                return null;
            }
            first = second;
            head = second;
            second = head.next;
        }
        if (second == null) {
            if (head != last.get()) {
                return null;
            }
            put(stub);
            second = head.next;
            if (second == null) {
                return null;
            }
        }
        first = second;
        head.next = null;
        return head;
    }

    /** Never leaves the queue. */
    private static final class Stub extends JournalEntry {
        private static final Loop NOWHERE = new Loop() {
            @Override
            public boolean inLoop() {
                return false;
            }

            @Override
            public void execute(Runnable task) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Cancellable schedule(Runnable task, long delayMs) {
                throw new UnsupportedOperationException();
            }
        };

        Stub() {
            super(FrameKind.EPOCH_START, 0, 0, 0, 0, 0, ByteBuffer.allocate(0), NOWHERE);
        }

        @Override
        public void copied() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void durable(long file, int bodyPosition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void failed(JournalEndedException cause) {
            throw new UnsupportedOperationException();
        }
    }
}
