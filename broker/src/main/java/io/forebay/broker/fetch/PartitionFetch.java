package io.forebay.broker.fetch;

import java.util.UUID;

/**
 * What a fetch wants of one partition.
 *
 * @param currentLeaderEpoch what the client believes, −1: not told (KIP-320)
 * @param lastFetchedEpoch epoch of the last record it has, −1: not told (KIP-595)
 * @param reader node in the client's rack that can serve old records in place of the owner, −1: none (KIP-392)
 */
public record PartitionFetch(
        UUID topicId,
        int index,
        long fetchOffset,
        int maxBytes,
        int currentLeaderEpoch,
        int lastFetchedEpoch,
        int reader) {

    /** Stands for no node. */
    public static final int NO_READER = -1;
}
