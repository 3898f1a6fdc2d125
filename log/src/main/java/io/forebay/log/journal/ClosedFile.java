package io.forebay.log.journal;

import io.forebay.store.ObjectKey;
import java.util.List;

/**
 * A file that takes no more frames.
 *
 * @param end the position behind its last acknowledged frame
 * @param shards the shards that have frames in it, ascending
 */
public record ClosedFile(long number, ObjectKey key, int end, List<Integer> shards) {

    public ClosedFile {
        shards = List.copyOf(shards);
    }
}
