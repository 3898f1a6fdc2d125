package io.forebay.log.journal;

import io.forebay.model.ByteRun;
import io.forebay.model.Loop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries that share one append, in order. Owned by the journal loop until their owners are told; then each owner's part belongs to
 * that loop.
 */
final class EntryGroup {

    private static final Logger LOG = LoggerFactory.getLogger(EntryGroup.class);

    private @Nullable JournalEntry first;
    private @Nullable JournalEntry last;
    private long bytes;

    /** What was written for the group, from {@link #runFrom} of the file on, until it is durable. */
    private ByteRun run = ByteRun.EMPTY;

    private int runFrom;

    void add(JournalEntry entry, int frameBytes) {
        entry.next = null;
        JournalEntry before = last;
        if (before == null) {
            first = entry;
        } else {
            before.next = entry;
        }
        last = entry;
        bytes += frameBytes;
    }

    /** Adds all entries of another group behind its own; the other one is empty afterwards. */
    void addAll(EntryGroup more) {
        JournalEntry before = last;
        if (before == null) {
            first = more.first;
        } else {
            before.next = more.first;
        }
        last = more.last == null ? before : more.last;
        bytes += more.bytes;
        more.first = null;
        more.last = null;
        more.bytes = 0;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Size of all frames. */
    long bytes() {
        return bytes;
    }

    @Nullable
    JournalEntry first() {
        return first;
    }

    /** Keeps the written bytes, in case they have to be written again. Takes over the run. */
    void keep(ByteRun written, int from) {
        run.release();
        run = written;
        runFrom = from;
    }

    /** Ends the use of the written bytes. */
    void letGo() {
        keep(ByteRun.EMPTY, 0);
    }

    /** A copy of an entry's body out of the kept bytes. */
    ByteBuffer bodyOf(JournalEntry entry) {
        ByteBuffer body = ByteBuffer.allocate(entry.bodyLength);
        int skip = entry.bodyPosition - runFrom;
        for (ByteBuffer part : run.parts()) {
            int here = Math.min(part.capacity() - skip, body.remaining());
            if (skip < part.capacity() && here > 0) {
                body.put(part.slice(skip, here));
                skip = 0;
            } else {
                skip -= part.capacity();
            }
        }
        if (body.hasRemaining()) {
            throw new IllegalStateException("a frame is not in the bytes that were kept for it");
        }
        return body.flip();
    }

    /** Tells all entries, on their owners' loops, in order: one task for each loop. The group is empty afterwards. */
    void tell(Consumer<JournalEntry> what) {
        List<Share> shares = new ArrayList<>(4);
        Share share = null;
        for (JournalEntry entry = first; entry != null; ) {
            JournalEntry following = entry.next;
            if (share == null || share.owner != entry.owner()) {
                share = shareOf(shares, entry.owner(), what);
            }
            share.add(entry);
            entry = following;
        }
        first = null;
        last = null;
        bytes = 0;
        for (Share each : shares) {
            each.owner.execute(each);
        }
    }

    private static Share shareOf(List<Share> shares, Loop owner, Consumer<JournalEntry> what) {
        for (Share share : shares) {
            if (share.owner == owner) {
                return share;
            }
        }
        Share share = new Share(owner, what);
        shares.add(share);
        return share;
    }

    /** One loop's part of a group. */
    private static final class Share implements Runnable {
        private final Loop owner;
        private final Consumer<JournalEntry> what;
        private @Nullable JournalEntry first;
        private @Nullable JournalEntry last;

        Share(Loop owner, Consumer<JournalEntry> what) {
            this.owner = owner;
            this.what = what;
        }

        void add(JournalEntry entry) {
            entry.next = null;
            JournalEntry before = last;
            if (before == null) {
                first = entry;
            } else {
                before.next = entry;
            }
            last = entry;
        }

        @Override
        public void run() {
            for (JournalEntry entry = first; entry != null; ) {
                JournalEntry following = entry.next;
                entry.next = null;
                try {
                    what.accept(entry);
                } catch (RuntimeException | Error e) {
                    // The others have been waiting for the same append and know nothing of this one's trouble.
                    LOG.error(
                            "an owner of journal entries failed: shard {}, partition {}",
                            entry.shard(),
                            entry.partitionId(),
                            e);
                }
                entry = following;
            }
        }
    }
}
