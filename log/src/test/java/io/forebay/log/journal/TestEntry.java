package io.forebay.log.journal;

import io.forebay.model.Loop;
import java.nio.ByteBuffer;
import java.util.List;

/** An entry that remembers what it was told. */
class TestEntry extends JournalEntry {

    enum Told {
        NOTHING,
        DURABLE,
        FAILED
    }

    private final List<TestEntry> toldInOrder;
    private final byte[] content;
    private int copies;
    private Told told = Told.NOTHING;
    private long durableFile;
    private int durableBodyPosition;

    TestEntry(
            FrameKind kind,
            int shard,
            long epoch,
            long partitionId,
            long baseOffset,
            int recordCount,
            ByteBuffer body,
            Loop owner,
            List<TestEntry> toldInOrder) {
        super(kind, shard, epoch, partitionId, baseOffset, recordCount, body, owner);
        this.toldInOrder = toldInOrder;
        this.content = new byte[body.remaining()];
        body.get(body.position(), content);
    }

    byte[] content() {
        return content;
    }

    Told told() {
        return told;
    }

    int copies() {
        return copies;
    }

    JournalPosition durableAt() {
        return new JournalPosition(durableFile, durableBodyPosition);
    }

    @Override
    public void copied() {
        copies++;
        // The memory is used for something else at once.
        ByteBuffer body = body();
        for (int i = 0; i < body.limit(); i++) {
            body.put(i, (byte) 0xEE);
        }
    }

    @Override
    public void durable(long file, int bodyPosition) {
        tell(Told.DURABLE);
        durableFile = file;
        durableBodyPosition = bodyPosition;
    }

    @Override
    public void failed(JournalEndedException cause) {
        tell(Told.FAILED);
    }

    private void tell(Told what) {
        if (told != Told.NOTHING) {
            throw new AssertionError("told twice: " + told + ", then " + what);
        }
        if (!owner().inLoop()) {
            throw new AssertionError("told on somebody else's loop");
        }
        told = what;
        toldInOrder.add(this);
    }
}
