package io.forebay.log.partition;

import io.forebay.log.batch.RunView;
import io.forebay.log.segment.SegmentIndex;
import io.forebay.model.ByteRun;
import io.forebay.store.ObjectKey;
import java.util.Optional;

/** Checks blocks of a segment that were read from the store and cuts out the batches a reader wants. Immutable; any thread. */
final class BlockCheck {

    private final ObjectKey key;
    private final long partitionId;
    private final SegmentIndex index;
    private final int p;

    /** @param p the partition's number in the index */
    BlockCheck(ObjectKey key, long partitionId, SegmentIndex index, int p) {
        this.key = key;
        this.partitionId = partitionId;
        this.index = index;
        this.p = p;
    }

    CorruptRangeException lost(int block) {
        return corrupt(block, "their bytes were already lost when it was written");
    }

    CorruptRangeException corrupt(int block, String reason) {
        return new CorruptRangeException(
                key.value(),
                index.blockPosition(block),
                partitionId,
                index.blockOffset(block),
                index.blockNextOffset(p, block),
                reason);
    }

    /**
     * The batches from the wanted offset on. Damage behind the first block ends the run before it.
     *
     * @param run exactly the bytes of the blocks; released here
     * @throws CorruptRangeException if the first block is damaged
     */
    CutRun cut(ByteRun run, int firstBlock, int endBlock, Wanted wanted) {
        try {
            RunView view = new RunView(run);
            int from = 0;
            int to = 0;
            long next = wanted.offset();
            int blockAt = 0;
            for (int block = firstBlock; block < endBlock; block++) {
                int length = index.blockLength(block);
                if (view.crc(blockAt, length) != index.blockCrc(block)) {
                    if (block == firstBlock) {
                        throw corrupt(block, "the checksum of the block is wrong");
                    }
                    break;
                }
                int at = blockAt;
                int blockEnd = blockAt + length;
                if (block == firstBlock) {
                    while (view.nextOffset(at) <= wanted.offset()) {
                        at += view.batchBytes(at);
                    }
                    from = at;
                    to = at;
                }
                boolean whole =
                        blockEnd - from <= wanted.maxBytes() && index.blockNextOffset(p, block) <= wanted.limitOffset();
                if (whole) {
                    to = blockEnd;
                    next = index.blockNextOffset(p, block);
                } else {
                    while (at < blockEnd && fits(view, at, from, wanted)) {
                        next = view.nextOffset(at);
                        at += view.batchBytes(at);
                        to = at;
                    }
                    break;
                }
                blockAt = blockEnd;
            }
            return new CutRun(to == from ? ByteRun.EMPTY : run.slice(from, to - from), next, true);
        } finally {
            run.release();
        }
    }

    private static boolean fits(RunView view, int at, int from, Wanted wanted) {
        return view.nextOffset(at) <= wanted.limitOffset()
                && (at + view.batchBytes(at) - from <= wanted.maxBytes() || (wanted.minOneBatch() && at == from));
    }

    /**
     * The first batch of a block that reaches beyond {@code from} and is as late as {@code timestampMs}.
     *
     * @param run exactly the bytes of the block; released here
     */
    Optional<BatchSpot> find(ByteRun run, int block, long timestampMs, long from, long limit) {
        try {
            RunView view = new RunView(run);
            if (view.crc(0, view.sizeBytes()) != index.blockCrc(block)) {
                throw corrupt(block, "the checksum of the block is wrong");
            }
            int at = 0;
            while (at < view.sizeBytes()) {
                long next = view.nextOffset(at);
                if (next > limit) {
                    break;
                }
                if (next > from && view.maxTimestampMs(at) >= timestampMs) {
                    return Optional.of(new BatchSpot(view.baseOffset(at), next, run.slice(at, view.batchBytes(at))));
                }
                at += view.batchBytes(at);
            }
            return Optional.empty();
        } finally {
            run.release();
        }
    }
}
