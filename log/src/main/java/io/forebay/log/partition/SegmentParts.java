package io.forebay.log.partition;

import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import java.util.List;

/** What segments hold of one partition, in the order of its offsets. Immutable. */
public final class SegmentParts {

    public static final SegmentParts NONE = new SegmentParts(List.of(), List.of());

    private final SegmentEntry[] segments;
    private final SegmentPart[] parts;
    /** Element i: the largest timestamp of parts 0 to i. */
    private final long[] latestSoFar;

    /** @param parts element i lies in element i of {@code segments} */
    public SegmentParts(List<SegmentEntry> segments, List<SegmentPart> parts) {
        this.segments = segments.toArray(new SegmentEntry[0]);
        this.parts = parts.toArray(new SegmentPart[0]);
        this.latestSoFar = new long[this.parts.length];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < this.parts.length; i++) {
            if (i > 0 && this.parts[i].firstOffset() < this.parts[i - 1].nextOffset()) {
                throw new IllegalStateException("segments overlap: " + this.parts[i - 1] + " and " + this.parts[i]);
            }
            latest = Math.max(latest, this.parts[i].maxTimestampMs());
            latestSoFar[i] = latest;
        }
    }

    int size() {
        return parts.length;
    }

    SegmentEntry segment(int i) {
        return segments[i];
    }

    SegmentPart part(int i) {
        return parts[i];
    }

    /** One more than the last offset; 0 if there is none. */
    long nextOffset() {
        return parts.length == 0 ? 0 : parts[parts.length - 1].nextOffset();
    }

    /** The first part that reaches beyond the offset; {@link #size} if none does. */
    int firstBeyond(long offset) {
        int low = 0;
        int high = parts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (parts[middle].nextOffset() > offset) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The first part, from {@code from} on, with a record as late as that; {@link #size} if there is none. */
    int firstAsLate(long timestampMs, int from) {
        int low = from;
        int high = parts.length;
        if (from > 0 && from < parts.length && latestSoFar[from - 1] >= timestampMs) {
            // An earlier part hides what the sums say about these.
            int at = from;
            while (at < parts.length && parts[at].maxTimestampMs() < timestampMs) {
                at++;
            }
            return at;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (latestSoFar[middle] >= timestampMs) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
