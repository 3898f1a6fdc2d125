package io.forebay.log.shard;

import io.forebay.log.journal.FrameKind;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalEntry;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.partition.JournalFile;
import io.forebay.log.partition.PartitionHost;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A frame without a body that says something about the shard itself. */
final class ControlEntry extends JournalEntry {

    private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);
    private static final long NO_PARTITION = -1;

    private final PartitionHost host;
    private final Consumer<JournalPosition> whenDurable;

    private ControlEntry(FrameKind kind, PartitionHost host, long partitionId, Consumer<JournalPosition> whenDurable) {
        super(kind, host.shard(), host.epoch(), partitionId, 0, 0, NO_BODY.duplicate(), host.loop());
        this.host = host;
        this.whenDurable = whenDurable;
    }

    static ControlEntry epochStart(PartitionHost host) {
        return new ControlEntry(FrameKind.EPOCH_START, host, NO_PARTITION, end -> {});
    }

    /** Tells on the shard loop where the frame ends. */
    static ControlEntry deletePartition(PartitionHost host, long partitionId, Consumer<JournalPosition> whenDurable) {
        return new ControlEntry(FrameKind.DELETE_PARTITION, host, partitionId, whenDurable);
    }

    @Override
    public void copied() {
        // No memory of ours is in it.
    }

    @Override
    public void durable(long fileNumber, int bodyPosition) {
        JournalFile file = host.ownFile(fileNumber);
        file.readableTo(bodyPosition);
        whenDurable.accept(new JournalPosition(fileNumber, bodyPosition));
        host.entryDurable(file, bodyPosition);
    }

    @Override
    public void failed(JournalEndedException cause) {
        host.entryFailed(cause);
    }
}
