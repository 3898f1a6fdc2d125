package io.forebay.log.partition;

/**
 * What must be remembered of a partition beyond its records: epochs, producers, timestamps, transactions. Pure: only
 * applying a batch changes it, so replay rebuilds it.
 */
public final class PartitionMemory {}
