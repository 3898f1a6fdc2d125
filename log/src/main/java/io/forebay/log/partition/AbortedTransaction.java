package io.forebay.log.partition;

/**
 * A range of a producer's records that read-committed readers skip.
 *
 * @param lastStableOffset of the partition when the abort was written
 */
public record AbortedTransaction(long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}
