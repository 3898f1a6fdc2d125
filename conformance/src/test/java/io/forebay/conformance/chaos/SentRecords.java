package io.forebay.conformance.chaos;

import java.util.Arrays;

/** Where each record of one producer was acknowledged. Written by the client's thread, read by any. */
final class SentRecords {

    /** Not acknowledged so far. */
    static final long OPEN = -2;
    /** Acknowledged, but the broker no longer knew where: a retry of a batch that it has long had. */
    static final long SOMEWHERE = -1;

    private int[] partitions = new int[1 << 12];
    private long[] offsets = new long[1 << 12];
    private int count;
    private int acknowledged;

    /** The number of the next record. */
    synchronized int next() {
        if (count == offsets.length) {
            partitions = Arrays.copyOf(partitions, count * 2);
            offsets = Arrays.copyOf(offsets, count * 2);
        }
        offsets[count] = OPEN;
        return count++;
    }

    synchronized void acknowledged(int sequence, int partition, long offset) {
        partitions[sequence] = partition;
        offsets[sequence] = Math.max(offset, SOMEWHERE);
        acknowledged++;
    }

    synchronized int count() {
        return count;
    }

    synchronized int acknowledged() {
        return acknowledged;
    }

    synchronized int partition(int sequence) {
        return partitions[sequence];
    }

    /** The acknowledged offset, {@link #SOMEWHERE} or {@link #OPEN}. */
    synchronized long offset(int sequence) {
        return offsets[sequence];
    }
}
