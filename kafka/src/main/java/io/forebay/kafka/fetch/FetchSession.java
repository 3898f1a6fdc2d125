package io.forebay.kafka.fetch;

import io.forebay.kafka.api.ClientConnection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a client fetches incrementally, in the order in which they are served: who got records goes to the end, so that
 * none starves (KIP-227, KIP-74).
 *
 * <p>Owned by its connection's loop, except for what is marked.
 */
final class FetchSession {

    /** Epochs run from 1 to the largest int and then begin again with 1; 0 and −1 mean "new session" and "none". */
    static final int FIRST_EPOCH = 1;

    private final int id;
    private final ClientConnection connection;
    private final boolean usesTopicIds;
    private final LinkedHashMap<WantedPartition.Key, WantedPartition> partitions = new LinkedHashMap<>();
    private final long createdMs;
    private volatile long lastUsedMs;
    private volatile int sizeAtLastUse;
    private int epoch = FIRST_EPOCH;

    FetchSession(
            int id, ClientConnection connection, boolean usesTopicIds, Collection<WantedPartition> wanted, long nowMs) {
        this.id = id;
        this.connection = connection;
        this.usesTopicIds = usesTopicIds;
        this.createdMs = nowMs;
        wanted.forEach(partition -> partitions.put(partition.key(), partition));
        used(nowMs);
    }

    int id() {
        return id;
    }

    boolean belongsTo(ClientConnection other) {
        return connection == other;
    }

    boolean usesTopicIds() {
        return usesTopicIds;
    }

    /** Any thread. */
    long createdMs() {
        return createdMs;
    }

    /** Any thread. */
    long lastUsedMs() {
        return lastUsedMs;
    }

    /** Number of partitions when it was last used. Any thread. */
    int sizeAtLastUse() {
        return sizeAtLastUse;
    }

    /** The epoch that the next request must carry. */
    int epoch() {
        return epoch;
    }

    void nextEpoch(long nowMs) {
        epoch = epoch == Integer.MAX_VALUE ? FIRST_EPOCH : epoch + 1;
        used(nowMs);
    }

    private void used(long nowMs) {
        lastUsedMs = nowMs;
        sizeAtLastUse = partitions.size();
    }

    @Nullable
    WantedPartition partition(WantedPartition.Key key) {
        return partitions.get(key);
    }

    void add(WantedPartition partition) {
        partitions.put(partition.key(), partition);
    }

    void forget(WantedPartition.Key key) {
        partitions.remove(key);
    }

    boolean isEmpty() {
        return partitions.isEmpty();
    }

    /** All partitions in the order in which they are to be served. */
    List<WantedPartition> inOrder() {
        return List.copyOf(partitions.values());
    }

    /** The partition got records: others come first next time. */
    void served(WantedPartition partition) {
        if (partitions.remove(partition.key()) != null) {
            partitions.put(partition.key(), partition);
        }
    }
}
