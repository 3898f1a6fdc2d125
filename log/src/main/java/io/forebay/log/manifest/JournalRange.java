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

    public JournalRange endedAt(JournalPosition end) {
        return new JournalRange(session, lane, epoch, from, Optional.of(end));
    }
}
