package io.forebay.log.shard;

import io.forebay.log.batch.RunView;
import io.forebay.log.journal.JournalDamage;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.segment.SegmentFooters;
import io.forebay.log.segment.SegmentIndex;
import io.forebay.log.segment.SegmentWriter;
import io.forebay.model.ByteRun;
import io.forebay.model.Retry;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Copies blocks of segments into one new segment, leaving out what was trimmed. Runs on the merge executor and the store's
 * threads; used once.
 *
 * <p>Every block is checked. One that is damaged in the store becomes a hole whose offsets stay known. A segment whose index is damaged ends the
 * job and stays as it is: nobody can say what of it is good.
 */
final class MergeJob {

    private static final int READ_BYTES = 1 << 20;

    private final ShardPorts ports;
    private final int shard;
    private final long epoch;
    private final List<MergeOutput.Input> inputs;
    private final SegmentWriter writer;
    private final Map<ObjectKey, SegmentIndex> indexes = new HashMap<>();
    private long lastPartition = -1;

    MergeJob(ShardPorts ports, int shard, long epoch, MergeOutput output, SegmentWriter writer) {
        this.ports = ports;
        this.shard = shard;
        this.epoch = epoch;
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
        return index(next)
                .thenComposeAsync(index -> part(next, index), ports.merge())
                .thenComposeAsync(done -> from(input + 1), ports.merge());
    }

    private CompletableFuture<SegmentIndex> index(MergeOutput.Input input) {
        SegmentEntry segment = input.segment();
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
                        ports.merge())
                .exceptionallyCompose(thrown -> CompletableFuture.failedFuture(
                        Retry.unwrap(thrown) instanceof StoreException store
                                        && store.kind() == StoreException.Kind.CORRUPT
                                ? damagedIndex(input, String.valueOf(store.getMessage()))
                                : thrown));
    }

    private static CorruptRangeException damagedIndex(MergeOutput.Input input, String reason) {
        return new CorruptRangeException(
                input.segment().key().value(),
                -1,
                input.part().partitionId(),
                input.part().firstOffset(),
                input.part().nextOffset(),
                reason);
    }

    private CompletableFuture<Void> part(MergeOutput.Input input, SegmentIndex index) {
        int p = index.find(input.part().partitionId());
        if (p < 0) {
            throw damagedIndex(input, "it holds nothing of the partition");
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
                .thenCompose(granted -> read(key, index, from, end, length))
                .thenComposeAsync(read -> copy(read, index, p, from, end, from, 0), ports.merge())
                .thenComposeAsync(done -> blocks(input, index, p, end), ports.merge());
    }

    /**
     * Blocks of a segment.
     *
     * @param damaged those whose checksum is wrong, also when they were read again
     */
    private record Read(ObjectKey key, ByteRun run, BitSet damaged) {}

    private CompletableFuture<Read> read(ObjectKey key, SegmentIndex index, int from, int end, int length) {
        return readOnce(key, index, from, end, length)
                .thenCompose(read -> read.damaged().isEmpty()
                        ? CompletableFuture.completedFuture(read)
                        : readOnce(key, index, from, end, length));
    }

    private CompletableFuture<Read> readOnce(ObjectKey key, SegmentIndex index, int from, int end, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        return ports.store()
                .read(key, index.blockPosition(from), bytes)
                .thenApplyAsync(
                        read -> {
                            ByteRun run = ByteRun.ofUnshared(bytes.clear());
                            return new Read(key, run, damaged(run, index, from, end));
                        },
                        ports.merge());
    }

    private static BitSet damaged(ByteRun run, SegmentIndex index, int from, int end) {
        RunView view = new RunView(run);
        BitSet damaged = new BitSet();
        int at = 0;
        for (int block = from; block < end; block++) {
            if (view.crc(at, index.blockLength(block)) != index.blockCrc(block)) {
                damaged.set(block);
            }
            at += index.blockLength(block);
        }
        return damaged;
    }

    private CompletableFuture<Void> copy(
            Read read, SegmentIndex index, int p, int from, int end, int firstBlock, int firstAt) {
        RunView view = new RunView(read.run());
        int at = firstAt;
        for (int block = firstBlock; block < end; block++) {
            int length = index.blockLength(block);
            if (read.damaged().get(block)) {
                lose(read.key(), index, p, block);
                at += length;
                continue;
            }
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
                return added.thenComposeAsync(
                        done -> copy(read, index, p, from, end, nextBlock, nextAt), ports.merge());
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private void lose(ObjectKey key, SegmentIndex index, int p, int block) {
        long first = index.blockOffset(block);
        long next = index.blockNextOffset(p, block);
        ports.damage()
                .damaged(new JournalDamage(
                        key,
                        index.blockPosition(block),
                        index.blockLength(block),
                        Optional.of(new JournalDamage.Frame(shard, epoch, index.partitionId(p), first, (int)
                                Math.min(Integer.MAX_VALUE, next - first))),
                        "the checksum of the block is wrong"));
        writer.addLost(first, next);
    }
}
