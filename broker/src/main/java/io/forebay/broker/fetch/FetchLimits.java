package io.forebay.broker.fetch;

/**
 * How long and how much a fetch may wait and return.
 *
 * @param minBytes answers as soon as so much is there
 * @param maxBytes at most this much in all, except that the first batch of the first non-empty partition always fits (KIP-74)
 * @param maxWaitMs answers after this time with what there is
 */
public record FetchLimits(int minBytes, int maxBytes, int maxWaitMs, boolean readCommitted) {}
