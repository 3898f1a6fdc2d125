package io.forebay.log.partition;

/**
 * What is told about a producer that a partition remembers.
 *
 * @param lastSequence −1: it has sent nothing under this epoch
 * @param lastTimestampMs largest timestamp of its last batch; −1: none
 * @param coordinatorEpoch of the coordinator that ended its last transaction here; −1: none has
 * @param openTransaction first offset of its open transaction; −1: none is open
 */
public record ActiveProducer(
        long producerId,
        short epoch,
        int lastSequence,
        long lastTimestampMs,
        int coordinatorEpoch,
        long openTransaction) {}
