package io.forebay.log.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * The indexes of files that were put whole, kept until a later file of the lane carries them along with its own: so whoever takes over reads one file instead of
 * {@value #EVERY}, and the writer puts no more files for it (docs/formats/journal.md). Owned by the journal loop.
 */
final class CarriedIndexes {

    /** A file carries what came before if its number is a multiple of this. */
    static final int EVERY = 32;

    /** What does not fit is not carried: such an index is worth a request of its own. */
    static final int MOST_BYTES = 1 << 20;

    private static final int EARLIER_FIELD = 2;
    private static final int NUMBER_FIELD = 1;
    private static final int INDEX_FIELD = 2;

    private final ProtoSink kept = new ProtoSink();

    /** Whether a file carries the indexes of some of the {@code EVERY - 1} before it. */
    static boolean carries(long number) {
        return number > 0 && number % EVERY == 0;
    }

    /** The files between two, both included, that carry indexes. Ascending. */
    static List<Long> between(long first, long last) {
        List<Long> found = new ArrayList<>();
        long from = (Math.max(1, first) + EVERY - 1) / EVERY * EVERY;
        for (long number = from; number <= last; number += EVERY) {
            found.add(number);
        }
        return found;
    }

    /**
     * The index that a file gets, files in the order of their numbers.
     *
     * @param own encoded index of the file's own frames
     */
    byte[] with(long number, byte[] own) {
        if (carries(number)) {
            ProtoSink all = new ProtoSink();
            all.append(own);
            all.append(kept);
            kept.clear();
            return all.toByteArray();
        }
        ProtoSink earlier = new ProtoSink();
        earlier.varintField(NUMBER_FIELD, number);
        earlier.bytesField(INDEX_FIELD, own);
        if (kept.size() + earlier.size() <= MOST_BYTES) {
            kept.bytesField(EARLIER_FIELD, earlier);
        }
        return own;
    }
}
