package io.forebay.log.shard;

import io.forebay.log.batch.RunView;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.segment.SegmentFooters;
import io.forebay.log.segment.SegmentIndex;
import io.forebay.log.segment.SegmentWriter;
import io.forebay.model.ByteRun;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Copies blocks of segments into one new segment, leaving out what was trimmed. Runs on the merge executor and the store's
 * threads; used once. Every block is checked; a damaged one ends the job, so that its segment stays as it is.
 */
final class MergeJob {

    private static final int READ_BYTES = 1 << 20;

    private final ShardPorts ports;
    private final List<MergeOutput.Input> inputs;
    private final SegmentWriter writer;
    private final Map<ObjectKey, SegmentIndex> indexes = new HashMap<>();
    private long lastPartition = -1;

    MergeJob(ShardPorts ports, MergeOutput output, SegmentWriter writer) {
        this.ports = ports;
        this.inputs = output.parts();
        this.writer = writer;
    }

    CompletableFuture<SegmentEntry> run(int level) {
        return from(0).thenCompose(done -> writer.finish(level));
    }

    private CompletableFuture<Void> from(int input) {
        if (input == inputs.size()) {
            return CompletableFuture.completedFuture(null);
        }
        MergeOutput.Input next = inputs.get(input);
        return index(next.segment())
                .thenComposeAsync(index -> part(next, index), ports.merge())
                .thenComposeAsync(done -> from(input + 1), ports.merge());
    }

    private CompletableFuture<SegmentIndex> index(SegmentEntry segment) {
        SegmentIndex known = indexes.get(segment.key());
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return SegmentFooters.read(ports.store(), segment.key(), segment.sizeBytes())
                .thenApplyAsync(
                        index -> {
                            indexes.put(segment.key(), index);
                            return index;
                        },
                        ports.merge());
    }

    private CompletableFuture<Void> part(MergeOutput.Input input, SegmentIndex index) {
        int p = index.find(input.part().partitionId());
        if (p < 0) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    "segment " + input.segment().key() + " holds nothing of partition "
                            + input.part().partitionId());
        }
        if (input.part().partitionId() != lastPartition) {
            lastPartition = input.part().partitionId();
            writer.beginPartition(lastPartition);
        }
        return blocks(
                input,
                index,
                p,
                index.blockAt(p, Math.max(input.startOffset(), index.blockOffset(index.firstBlock(p)))));
    }

    /** Copies all blocks of a partition from {@code first} on. */
    private CompletableFuture<Void> blocks(MergeOutput.Input input, SegmentIndex index, int p, int first) {
        int block = first;
        while (block < index.endBlock(p) && index.blockLength(block) == 0) {
            writer.addLost(index.blockOffset(block), index.blockNextOffset(p, block));
            block++;
        }
        if (block == index.endBlock(p)) {
            return CompletableFuture.completedFuture(null);
        }
        int from = block;
        int bytes = 0;
        while (block < index.endBlock(p)
                && index.blockLength(block) > 0
                && (bytes == 0 || bytes + index.blockLength(block) <= READ_BYTES)) {
            bytes += index.blockLength(block);
            block++;
        }
        int end = block;
        ObjectKey key = input.segment().key();
        int length = bytes;
        return ports.mergeRate()
                .take(length)
                .thenCompose(granted -> read(key, index, p, from, end, length))
                .thenComposeAsync(run -> copy(run, index, p, from, end, from, 0), ports.merge())
                .thenComposeAsync(done -> blocks(input, index, p, end), ports.merge());
    }

    private CompletableFuture<ByteRun> read(ObjectKey key, SegmentIndex index, int p, int from, int end, int length) {
        return readOnce(key, index.blockPosition(from), length)
                .thenCompose(run -> damaged(run, index, from, end) < 0
                        ? CompletableFuture.completedFuture(run)
                        : readOnce(key, index.blockPosition(from), length))
                .thenApply(run -> {
                    int block = damaged(run, index, from, end);
                    if (block >= 0) {
                        throw new CorruptRangeException(
                                key.value(),
                                index.blockPosition(block),
                                index.partitionId(p),
                                index.blockOffset(block),
                                index.blockNextOffset(p, block),
                                "the checksum of the block is wrong");
                    }
                    return run;
                });
    }

    private CompletableFuture<ByteRun> readOnce(ObjectKey key, long position, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        return ports.store().read(key, position, bytes).thenApply(read -> ByteRun.ofUnshared(bytes.clear()));
    }

    /** The first block whose checksum is wrong; −1 if all are good. */
    private static int damaged(ByteRun run, SegmentIndex index, int from, int end) {
        RunView view = new RunView(run);
        int at = 0;
        for (int block = from; block < end; block++) {
            if (view.crc(at, index.blockLength(block)) != index.blockCrc(block)) {
                return block;
            }
            at += index.blockLength(block);
        }
        return -1;
    }

    private CompletableFuture<Void> copy(
            ByteRun run, SegmentIndex index, int p, int from, int end, int firstBlock, int firstAt) {
        RunView view = new RunView(run);
        int at = firstAt;
        for (int block = firstBlock; block < end; block++) {
            int length = index.blockLength(block);
            CompletableFuture<Void> added = writer.addBatch(
                    view,
                    at,
                    length,
                    index.blockOffset(block),
                    index.blockNextOffset(p, block),
                    index.blockMaxTimestampMs(block));
            at += length;
            if (!added.isDone() || added.isCompletedExceptionally()) {
                int nextBlock = block + 1;
                int nextAt = at;
                return added.thenComposeAsync(done -> copy(run, index, p, from, end, nextBlock, nextAt), ports.merge());
            }
        }
        return CompletableFuture.completedFuture(null);
    }
}
