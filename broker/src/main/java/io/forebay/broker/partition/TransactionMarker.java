package io.forebay.broker.partition;

/**
 * The end of a transaction, for one partition.
 *
 * @param epoch of the producer from now on: records below it are refused
 * @param coordinatorEpoch leader epoch of the coordinator's partition
 * @param startMs of the transaction, which tells it from others of the same producer; −1: not known (tools of operators do not tell)
 * @param version 2: the epoch has risen with this end
 */
public record TransactionMarker(
        long producerId, short epoch, boolean commit, int coordinatorEpoch, long startMs, short version) {

    public static final long UNKNOWN_START = -1;
}
