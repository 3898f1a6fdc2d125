package io.forebay.bench.row;

import java.util.Set;

/**
 * How much is measured.
 *
 * @param rows which rows
 * @param rounds rounds of every row but latency
 * @param records records of one produce or consume load, 1 KiB each
 * @param warmRecords records produced and consumed before anything counts
 * @param manyRecords records of one load over 2,048 partitions
 * @param fillRecords records written before a kill or a start on existing data
 * @param tailSeconds length of one tail load
 * @param sliceSeconds length of one latency slice
 * @param pairs latency slices of each target and setting
 * @param idleSeconds how long an idle server is left alone, and then watched
 */
public record Plan(
        Set<RowName> rows,
        int rounds,
        long records,
        long warmRecords,
        long manyRecords,
        long fillRecords,
        int tailSeconds,
        int sliceSeconds,
        int pairs,
        int idleSeconds) {
    public Plan {
        rows = Set.copyOf(rows);
        if (rows.isEmpty() || rounds < 1 || records < 1 || manyRecords < 1 || fillRecords < 1 || sliceSeconds < 1) {
            throw new IllegalArgumentException("nothing to measure");
        }
    }

    boolean asks(RowName row) {
        return rows.contains(row);
    }
}
