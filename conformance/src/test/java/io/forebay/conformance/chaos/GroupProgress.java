package io.forebay.conformance.chaos;

import java.util.Arrays;
import java.util.BitSet;

/** What the members of one group have seen and committed, together. Thread-safe. */
final class GroupProgress {

    private final String group;
    private final BitSet[] seen;
    private final long[] committed;
    private final Findings findings;

    GroupProgress(String group, int partitions, Findings findings) {
        this.group = group;
        this.seen = new BitSet[partitions];
        Arrays.setAll(seen, i -> new BitSet());
        this.committed = new long[partitions];
        this.findings = findings;
    }

    String group() {
        return group;
    }

    int partitions() {
        return seen.length;
    }

    synchronized void saw(int partition, long offset) {
        seen[partition].set(Math.toIntExact(offset));
    }

    /** The coordinator has acknowledged this commit. */
    synchronized void committed(int partition, long offset) {
        committed[partition] = Math.max(committed[partition], offset);
    }

    /** The highest acknowledged or shown commit of a partition. */
    synchronized long committed(int partition) {
        return committed[partition];
    }

    /**
     * The coordinator showed a committed offset.
     *
     * @param atLeast what was committed before the coordinator was asked
     */
    synchronized void shown(String where, int partition, long offset, long atLeast) {
        if (offset < atLeast) {
            findings.add(
                    Findings.Kind.WENT_BACK,
                    group + ", partition " + partition + ": " + where + " shows " + offset + ", committed was "
                            + atLeast);
        }
        committed[partition] = Math.max(committed[partition], offset);
    }

    /** Whether everything below {@code end} has been seen. */
    synchronized boolean complete(int partition, long end) {
        return seen[partition].nextClearBit(0) >= end;
    }

    /** How many offsets below {@code end} nobody saw. */
    synchronized long unseen(int partition, long end) {
        return end - seen[partition].get(0, Math.toIntExact(end)).cardinality();
    }

    /** The lowest offset that nobody saw. */
    synchronized long firstUnseen(int partition) {
        return seen[partition].nextClearBit(0);
    }
}
