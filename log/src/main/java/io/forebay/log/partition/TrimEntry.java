package io.forebay.log.partition;

import io.forebay.log.journal.FrameKind;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalEntry;
import java.nio.ByteBuffer;

/** A new start offset on its way into the journal. */
final class TrimEntry extends JournalEntry {

    private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

    private final PartitionState partition;
    private final AppendListener listener;

    TrimEntry(PartitionState partition, long newStart, AppendListener listener) {
        super(
                FrameKind.TRIM,
                partition.host.shard(),
                partition.host.epoch(),
                partition.partitionId,
                newStart,
                0,
                NO_BODY.duplicate(),
                partition.host.loop());
        this.partition = partition;
        this.listener = listener;
    }

    @Override
    public void copied() {
        listener.copied();
    }

    @Override
    public void durable(long file, int bodyPosition) {
        partition.trimDurable(baseOffset(), file, bodyPosition);
        listener.durable(baseOffset());
    }

    @Override
    public void failed(JournalEndedException cause) {
        partition.appendFailed(cause);
        listener.failed(cause);
    }
}
