package io.forebay.broker.fetch;

/**
 * How long and how much a fetch may wait and return.
 *
 * @param minBytes answers as soon as so much is there
 * @param maxBytes at most this much in all, except that the first batch of the first non-empty partition always fits (KIP-74)
 * @param maxMemoryBytes of these at most this much in memory of this process, with the same exception; what lies in files holds none
 * @param maxWaitMs answers after this time with what there is
 */
public record FetchLimits(int minBytes, int maxBytes, int maxMemoryBytes, int maxWaitMs, boolean readCommitted) {}
