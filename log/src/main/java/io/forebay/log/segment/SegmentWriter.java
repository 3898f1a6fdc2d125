package io.forebay.log.segment;

import io.forebay.formats.segment.SegmentFooter;
import io.forebay.formats.segment.SegmentPartition;
import io.forebay.log.batch.RunView;
import io.forebay.log.journal.Maker;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Writes one segment from its beginning to its end (docs/formats/segment.md). One caller at a time; a call that returns a
 * future must be awaited before the next one. Nothing is visible before {@link #finish}.
 *
 * <p>Order: {@link #beginPartition} with ascending ids, then {@link #addBatch} and {@link #addLost} with ascending offsets.
 */
public final class SegmentWriter {

    private static final int BUFFER_BYTES = 1 << 20;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final ObjectKey key;
    private final ObjectUpload upload;
    private final Executor executor;
    private final SegmentFooter.Builder footer;
    private final List<SegmentPart> parts = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long position;
    private PartitionBlocks partition = PartitionBlocks.none();
    private boolean inPartition;

    private SegmentWriter(ObjectKey key, ObjectUpload upload, Executor executor, int shard, long epoch) {
        this.key = key;
        this.upload = upload;
        this.executor = executor;
        this.footer = SegmentFooter.newBuilder().setShard(shard).setEpoch(epoch);
    }

    /**
     * Begins a segment.
     *
     * @param executor on which work goes on when the store was slow
     */
    public static CompletableFuture<SegmentWriter> begin(
            Store store, Executor executor, ObjectKey key, int shard, long epoch, long createdMs, Maker maker) {
        return store.beginUpload(key)
                .thenApplyAsync(
                        upload -> {
                            SegmentWriter writer = new SegmentWriter(key, upload, executor, shard, epoch);
                            writer.buffer.put(SegmentLayout.header(shard, epoch, createdMs, maker));
                            writer.position = SegmentLayout.HEADER_BYTES;
                            return writer;
                        },
                        executor);
    }

    public ObjectKey key() {
        return key;
    }

    /** Bytes so far. */
    public long sizeBytes() {
        return position;
    }

    public void beginPartition(long partitionId) {
        endPartition();
        if (!parts.isEmpty() && parts.get(parts.size() - 1).partitionId() >= partitionId) {
            throw new IllegalArgumentException("partition " + partitionId + " is not in order");
        }
        partition = new PartitionBlocks(partitionId, position);
        inPartition = true;
    }

    /** Adds {@code length} bytes of {@code source} from {@code from} on, which are one batch or several whole ones. */
    public CompletableFuture<Void> addBatch(
            RunView source, int from, int length, long baseOffset, long nextOffset, long maxTimestampMs) {
        partition.add(baseOffset, nextOffset, maxTimestampMs, length);
        return copy(source, from, length);
    }

    /** Adds offsets whose bytes are lost: they stay known as lost. */
    public void addLost(long baseOffset, long nextOffset) {
        partition.addLost(baseOffset, nextOffset);
    }

    private CompletableFuture<Void> copy(RunView source, int from, int length) {
        int at = from;
        int left = length;
        while (left > 0) {
            int take = Math.min(left, buffer.remaining());
            int start = buffer.position();
            source.copy(at, take, buffer);
            partition.bytes(buffer, start, take);
            position += take;
            at += take;
            left -= take;
            if (!buffer.hasRemaining()) {
                CompletableFuture<Void> written = writeOut();
                if (!written.isDone() || written.isCompletedExceptionally()) {
                    int nextAt = at;
                    int stillLeft = left;
                    return written.thenComposeAsync(done -> copy(source, nextAt, stillLeft), executor);
                }
            }
        }
        partition.endOfBatch();
        return DONE;
    }

    /** Makes the object visible. Fails with a StoreException; UNAVAILABLE if it may be there or not. */
    public CompletableFuture<SegmentEntry> finish(int level) {
        endPartition();
        ByteBuffer index = ByteBuffer.wrap(footer.build().toByteArray());
        ByteBuffer trailer = SegmentLayout.trailer(position, index.duplicate());
        return put(index)
                .thenCompose(done -> put(trailer))
                .thenCompose(done -> writeOut())
                .thenCompose(done -> upload.commit())
                .thenApply(outcome -> {
                    if (outcome != PutOutcome.WRITTEN) {
                        throw new StoreException(
                                StoreException.Kind.UNAVAILABLE, "segment " + key + ": commit answered " + outcome);
                    }
                    return new SegmentEntry(key, position, level, parts);
                });
    }

    /** Ends the upload; harmless after {@link #finish}. */
    public void abort() {
        upload.abort();
    }

    private CompletableFuture<Void> put(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int take = Math.min(bytes.remaining(), buffer.remaining());
            buffer.put(buffer.position(), bytes, bytes.position(), take);
            buffer.position(buffer.position() + take);
            bytes.position(bytes.position() + take);
            position += take;
            if (!buffer.hasRemaining()) {
                return writeOut().thenComposeAsync(done -> put(bytes), executor);
            }
        }
        return DONE;
    }

    private CompletableFuture<Void> writeOut() {
        if (buffer.position() == 0) {
            return DONE;
        }
        buffer.flip();
        return upload.write(buffer).thenRun(buffer::clear);
    }

    private void endPartition() {
        if (!inPartition) {
            return;
        }
        inPartition = false;
        SegmentPartition built = partition.build(position);
        footer.addPartitions(built);
        parts.add(new SegmentPart(
                built.getPartitionId(),
                built.getFirstOffset(),
                built.getNextOffset(),
                built.getLength(),
                built.getMaxTimestamp()));
    }
}
