package io.forebay.log.shard;

import io.forebay.log.partition.PartitionLog;
import io.forebay.model.Loop;
import io.forebay.model.ShardId;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An open shard: this session owns it and may append. Owned by its loop. */
public final class Shard {

    public ShardId id() {
        throw new UnsupportedOperationException();
    }

    public long epoch() {
        throw new UnsupportedOperationException();
    }

    public Loop loop() {
        throw new UnsupportedOperationException();
    }

    /** The partition, or null if this shard has none with that id (never created here, or deleted). */
    public @Nullable PartitionLog partition(long partitionId) {
        throw new UnsupportedOperationException();
    }

    /** The ids of all partitions that this shard holds something of, ascending. The owner compares them with the root's image. */
    public long[] partitionIds() {
        throw new UnsupportedOperationException();
    }

    /** Begins an empty partition, or returns it if it exists. Nothing is written: the root's record is what makes it exist. */
    public PartitionLog createPartition(long partitionId) {
        throw new UnsupportedOperationException();
    }

    /** Drops a partition whose deletion the root has recorded; its bytes go with the next flushes and merges. */
    public void deletePartition(long partitionId) {
        throw new UnsupportedOperationException();
    }

    /** Stops appends, waits for the flush of what is in flight and writes the released manifest. Cannot be taken back. */
    public CompletableFuture<Void> release() {
        throw new UnsupportedOperationException();
    }

    /** Drops the shard at once: the session is over. */
    public void abandon() {
        throw new UnsupportedOperationException();
    }
}
