package io.forebay.kafka.fake;

import io.forebay.log.batch.BatchView;
import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Batches of one partition in memory. Owned by the fake broker's lock. */
final class FakePartition {

    private final List<ByteBuffer> batches = new ArrayList<>();
    private long nextOffset;

    long append(ByteBuffer batch) {
        long base = nextOffset;
        BatchView.assign(batch, batch.position(), base, FakeImage.EPOCH);
        ByteBuffer copy = ByteBuffer.allocateDirect(batch.remaining());
        copy.put(batch.duplicate()).flip();
        batches.add(copy);
        nextOffset += BatchView.lastOffsetDelta(copy, 0) + 1;
        return base;
    }

    long endOffset() {
        return nextOffset;
    }

    /** Whole batches from the one with the offset on, at least one, at most so many bytes. */
    List<ByteBuffer> from(long offset, int maxBytes) {
        List<ByteBuffer> found = new ArrayList<>();
        int bytes = 0;
        for (ByteBuffer batch : batches) {
            if (BatchView.lastOffset(batch, 0) < offset) {
                continue;
            }
            if (!found.isEmpty() && bytes + batch.remaining() > maxBytes) {
                break;
            }
            found.add(batch);
            bytes += batch.remaining();
        }
        return found;
    }

    static ByteRun run(List<ByteBuffer> batches, Runnable whenReleased) {
        ByteRun.Builder builder = new ByteRun.Builder();
        for (ByteBuffer batch : batches) {
            io.forebay.model.Page page = new io.forebay.model.Page(batch.duplicate(), freed -> whenReleased.run());
            builder.add(page, 0, batch.remaining());
            page.release();
        }
        return builder.build();
    }
}
