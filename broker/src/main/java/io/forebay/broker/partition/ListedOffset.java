package io.forebay.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/**
 * Answer to a ListOffsets question.
 *
 * @param timestampMs −1 if none applies
 * @param offset −1 if none was found
 * @param leaderEpoch −1 if none applies
 */
public record ListedOffset(Errors error, long timestampMs, long offset, int leaderEpoch) {}
