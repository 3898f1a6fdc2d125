package io.forebay.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/** Answer to OffsetForLeaderEpoch: the largest epoch at or below the one asked for, and where it ends. −1: none. */
public record EpochEnd(Errors error, int leaderEpoch, long endOffset) {}
