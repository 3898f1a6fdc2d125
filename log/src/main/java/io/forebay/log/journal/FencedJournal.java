package io.forebay.log.journal;

import io.forebay.store.ObjectKey;
import java.util.List;

/**
 * A session nobody can write to any more: what it left, with the exact end of every file.
 *
 * @param prefix as in {@link JournalPath}
 */
public record FencedJournal(String prefix, long session, List<Lane> lanes) {

    public FencedJournal {
        lanes = List.copyOf(lanes);
    }

    /**
     * What one lane left.
     *
     * @param tombstone number of the tombstone: no file with it or above exists
     * @param files in order; those before the first were deleted, and those that are missing between others are lost
     */
    public record Lane(int lane, long tombstone, List<File> files) {

        public Lane {
            files = List.copyOf(files);
        }
    }

    /**
     * One data file and how much of it counts.
     *
     * @param end how much of the file may be read, in bytes: the end that a later file states, else the sealed end
     * @param stated whether a later file states it: then everything below it was acknowledged
     */
    public record File(long number, ObjectKey key, int end, boolean stated) {}
}
