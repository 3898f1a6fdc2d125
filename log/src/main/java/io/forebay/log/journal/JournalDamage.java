package io.forebay.log.journal;

import io.forebay.store.ObjectKey;
import java.util.Optional;

/**
 * Acknowledged bytes that cannot be read any more.
 *
 * @param position first damaged byte
 * @param length bytes until the next readable frame (or the end)
 * @param frame whose body it is, when the frame's header is whole
 * @param reason in words
 */
public record JournalDamage(ObjectKey key, long position, long length, Optional<Frame> frame, String reason) {

    /** What a damaged frame held. */
    public record Frame(int shard, long epoch, long partitionId, long baseOffset, int recordCount) {}
}
