package io.forebay.log.journal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Where a lane ends, or where a tombstone has to go to end it, worked out from a listing and the few headers that matter (docs/formats/journal.md). Not
 * thread-safe.
 *
 * <p>Each object says that everything up to some number was once written, whether or not it was deleted since. The first number above all of these that is no data file is
 * the one that the writer can never get past once a tombstone is there; a tombstone anywhere else came too late and means nothing. Ask {@link #toRead} and
 * answer with {@link #found} until nothing is left to read.
 */
public final class LaneEnd {

    private final NavigableSet<Long> numbers;
    /** Of each number that was read, whether it is a tombstone. */
    private final Map<Long, Boolean> tombstones = new HashMap<>();

    private long written = -1;

    /**
     * Begins with a listing.
     *
     * @param numbers all that it showed
     */
    public LaneEnd(NavigableSet<Long> numbers) {
        this.numbers = new TreeSet<>(numbers);
    }

    /** The objects whose headers must be read next; none: all is known. At most two rounds, the first of one. */
    public List<Long> toRead() {
        if (tombstones.isEmpty()) {
            return numbers.isEmpty() ? List.of() : List.of(numbers.last());
        }
        return numbers.tailSet(written, false).stream()
                .filter(number -> !tombstones.containsKey(number))
                .toList();
    }

    /**
     * Takes what was read of an object.
     *
     * @param header empty if the object has none that is valid: then it is a data file
     */
    public void found(long number, Optional<JournalHeader> header) {
        tombstones.put(
                number,
                header.filter(h -> h.kind() == JournalHeader.Kind.TOMBSTONE).isPresent());
        written = Math.max(written, header.map(JournalHeader::written).orElse(number - 1));
    }

    /** The highest number of which any object says that it and all below were once written; −1: none. */
    public long written() {
        return written;
    }

    /** The first number that the writer cannot acknowledge once a tombstone is there; every number below was written. */
    public long place() {
        long place = written + 1;
        while (Boolean.FALSE.equals(tombstones.get(place))) {
            place++;
        }
        return place;
    }

    /** Whether a tombstone is at {@link #place}: nothing at it or above is part of the journal, for ever. */
    public boolean ended() {
        return Boolean.TRUE.equals(tombstones.get(place()));
    }
}
