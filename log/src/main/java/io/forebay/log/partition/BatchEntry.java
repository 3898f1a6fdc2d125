package io.forebay.log.partition;

import io.forebay.log.journal.FrameKind;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalEntry;
import java.nio.ByteBuffer;

/** One batch on its way into the journal. */
final class BatchEntry extends JournalEntry {

    private final PartitionState partition;
    private final AppendListener listener;
    private final int length;
    private final long maxTimestampMs;

    BatchEntry(
            PartitionState partition,
            long baseOffset,
            int recordCount,
            ByteBuffer batch,
            long maxTimestampMs,
            AppendListener listener) {
        super(
                FrameKind.BATCH,
                partition.host.shard(),
                partition.host.epoch(),
                partition.partitionId,
                baseOffset,
                recordCount,
                batch,
                partition.host.loop());
        this.partition = partition;
        this.listener = listener;
        this.length = batch.remaining();
        this.maxTimestampMs = maxTimestampMs;
    }

    @Override
    public void copied() {
        listener.copied();
    }

    @Override
    public void durable(long file, int bodyPosition) {
        partition.batchDurable(baseOffset(), recordCount(), file, bodyPosition, length, maxTimestampMs);
        listener.durable(baseOffset());
    }

    @Override
    public void failed(JournalEndedException cause) {
        partition.appendFailed(cause);
        listener.failed(cause);
    }
}
