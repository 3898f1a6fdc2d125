package io.forebay.log.segment;

import com.google.protobuf.InvalidProtocolBufferException;
import io.forebay.formats.segment.SegmentFooter;
import io.forebay.formats.segment.SegmentPartition;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The footer of one segment in columns: for each partition its place and its blocks. Immutable; any thread.
 *
 * <p>Blocks of all partitions are numbered through; those of one partition follow each other.
 */
public final class SegmentIndex {

    private static final int BYTES_PER_BLOCK = 32;
    private static final int BYTES_PER_PARTITION = 64;

    private final long[] partitionIds;
    /** Element p: the first block of partition p; one element more for the end. */
    private final int[] firstBlocks;

    private final long[] nextOffsets;
    private final long[] blockOffsets;
    private final long[] blockPositions;
    private final int[] blockLengths;
    private final long[] blockMaxTimestamps;
    private final int[] blockCrcs;

    private SegmentIndex(SegmentFooter footer) {
        int partitions = footer.getPartitionsCount();
        int blocks = 0;
        for (SegmentPartition partition : footer.getPartitionsList()) {
            blocks += partition.getBlockLengthCount();
        }
        partitionIds = new long[partitions];
        firstBlocks = new int[partitions + 1];
        nextOffsets = new long[partitions];
        blockOffsets = new long[blocks];
        blockPositions = new long[blocks];
        blockLengths = new int[blocks];
        blockMaxTimestamps = new long[blocks];
        blockCrcs = new int[blocks];
        int block = 0;
        for (int p = 0; p < partitions; p++) {
            firstBlocks[p] = block;
            block = fill(p, block, footer.getPartitions(p));
        }
        firstBlocks[partitions] = block;
    }

    private int fill(int p, int firstBlock, SegmentPartition partition) {
        partitionIds[p] = partition.getPartitionId();
        nextOffsets[p] = partition.getNextOffset();
        long offset = partition.getFirstOffset();
        long position = partition.getPosition();
        long timestamp = 0;
        int block = firstBlock;
        for (int b = 0; b < partition.getBlockLengthCount(); b++) {
            offset += partition.getBlockOffsetDelta(b);
            timestamp += partition.getBlockMaxTimestampDelta(b);
            blockOffsets[block] = offset;
            blockPositions[block] = position;
            blockLengths[block] = partition.getBlockLength(b);
            blockMaxTimestamps[block] = timestamp;
            blockCrcs[block] = partition.getBlockCrc(b);
            position += partition.getBlockLength(b);
            block++;
        }
        return block;
    }

    /**
     * @param message the bytes of a {@link SegmentFooter}
     * @throws StoreException CORRUPT
     */
    static SegmentIndex parse(ObjectKey key, ByteBuffer message) {
        try {
            SegmentFooter footer = SegmentFooter.parseFrom(message);
            for (SegmentPartition partition : footer.getPartitionsList()) {
                int blocks = partition.getBlockLengthCount();
                if (partition.getBlockOffsetDeltaCount() != blocks
                        || partition.getBlockMaxTimestampDeltaCount() != blocks
                        || partition.getBlockCrcCount() != blocks) {
                    throw new StoreException(
                            StoreException.Kind.CORRUPT,
                            "segment " + key + ", partition " + partition.getPartitionId()
                                    + ": the columns of its index differ in length");
                }
            }
            return new SegmentIndex(footer);
        } catch (InvalidProtocolBufferException e) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT, "segment " + key + ": its footer cannot be read: " + e.getMessage());
        }
    }

    /** What this takes in memory, about. */
    int sizeBytes() {
        return BYTES_PER_BLOCK * blockLengths.length + BYTES_PER_PARTITION * partitionIds.length;
    }

    public int partitions() {
        return partitionIds.length;
    }

    public long partitionId(int p) {
        return partitionIds[p];
    }

    /** The number of a partition in here; −1 if the segment holds nothing of it. */
    public int find(long partitionId) {
        int found = Arrays.binarySearch(partitionIds, partitionId);
        return found >= 0 ? found : -1;
    }

    public int firstBlock(int p) {
        return firstBlocks[p];
    }

    /** One more than the last block of a partition. */
    public int endBlock(int p) {
        return firstBlocks[p + 1];
    }

    /** The block of partition p that holds the offset; {@link #endBlock} if it lies behind. */
    public int blockAt(int p, long offset) {
        if (offset >= nextOffsets[p]) {
            return endBlock(p);
        }
        int found = Arrays.binarySearch(blockOffsets, firstBlock(p), endBlock(p), offset);
        return Math.max(firstBlock(p), found >= 0 ? found : -found - 2);
    }

    public long blockOffset(int block) {
        return blockOffsets[block];
    }

    /** One more than the last offset of a block of partition p. */
    public long blockNextOffset(int p, int block) {
        return block + 1 < endBlock(p) ? blockOffsets[block + 1] : nextOffsets[p];
    }

    public long blockPosition(int block) {
        return blockPositions[block];
    }

    /** 0: the block stands for offsets whose bytes are lost. */
    public int blockLength(int block) {
        return blockLengths[block];
    }

    public long blockMaxTimestampMs(int block) {
        return blockMaxTimestamps[block];
    }

    public int blockCrc(int block) {
        return blockCrcs[block];
    }
}
