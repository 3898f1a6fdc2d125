package io.forebay.log.manifest;

import io.forebay.store.ObjectKey;
import java.util.List;

/**
 * A segment as a manifest names it.
 *
 * @param level 0: flushed from the journal; n + 1: merged from level n or below
 * @param parts ascending by partition id; parts that are no longer needed are left out though the object still holds them
 */
public record SegmentEntry(ObjectKey key, long sizeBytes, int level, List<SegmentPart> parts) {

    public SegmentEntry {
        parts = List.copyOf(parts);
    }

    public long liveBytes() {
        long sum = 0;
        for (SegmentPart part : parts) {
            sum += part.lengthBytes();
        }
        return sum;
    }
}
