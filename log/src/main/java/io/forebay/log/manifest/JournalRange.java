package io.forebay.log.manifest;

import io.forebay.log.journal.JournalPosition;
import java.util.Optional;

/**
 * The part of a journal lane that holds one epoch's frames of a shard.
 *
 * @param from no frame of that shard and epoch that counts lies before it
 * @param to the exact end: frames of that shard and epoch at or behind it do not exist; empty while the owner is still writing
 */
public record JournalRange(long session, int lane, long epoch, JournalPosition from, Optional<JournalPosition> to) {

    public JournalRange {
        if (to.isPresent() && to.get().compareTo(from) < 0) {
            throw new IllegalArgumentException("a journal range ends at " + to.get() + " before it begins at " + from);
        }
    }

    /** Whether frames of this range may lie in the file. */
    public boolean touches(long file) {
        return from.file() <= file && (to.isEmpty() || file <= to.get().file());
    }

    /** The same range without what lies before a position; empty if it ends there or before. */
    public Optional<JournalRange> behind(JournalPosition position) {
        if (to.isPresent() && to.get().compareTo(position) <= 0) {
            return Optional.empty();
        }
        JournalPosition later = position.compareTo(from) > 0 ? position : from;
        return Optional.of(new JournalRange(session, lane, epoch, later, to));
    }

    public JournalRange endedAt(JournalPosition end) {
        return new JournalRange(session, lane, epoch, from, Optional.of(end));
    }
}
