package io.forebay.log.shard;

import io.forebay.log.partition.PartitionLog;
import io.forebay.log.partition.PartitionMemory;
import io.forebay.log.partition.PartitionState;
import io.forebay.model.ByteRun;
import java.util.concurrent.CompletableFuture;

/**
 * What segments hold of one partition, as of one version of its shard's manifest. The owner may be ahead of it in everything: start, end and what was committed.
 * Owned by the view's loop.
 */
public final class PartitionView {

    private final PartitionLog log;

    PartitionView(PartitionState state) {
        this.log = state.log();
    }

    public long partitionId() {
        return log.partitionId();
    }

    /** The first offset that can be read here. */
    public long startOffset() {
        return log.startOffset();
    }

    /** One more than the last offset that can be read here; not above the high watermark. */
    public long endOffset() {
        return log.highWatermark();
    }

    /** The last stable offset that was stored, at most {@link #endOffset}: nothing below it belongs to an open transaction. */
    public long lastStableOffset() {
        return log.lastStableOffset();
    }

    /** Epochs, aborted transactions and more, as they were when the manifest was made: they may know of offsets behind {@link #endOffset}. */
    public PartitionMemory memory() {
        return log.memory();
    }

    CompletableFuture<ByteRun> read(long offset, long limitOffset, int maxBytes, boolean minOneBatch) {
        return log.read(offset, limitOffset, maxBytes, minOneBatch);
    }
}
