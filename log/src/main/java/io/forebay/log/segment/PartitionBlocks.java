package io.forebay.log.segment;

import io.forebay.formats.segment.SegmentPartition;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Cuts what a segment holds of one partition into blocks and gathers their index. Owned by a {@link SegmentWriter}. */
final class PartitionBlocks {

    private final SegmentPartition.Builder index;
    private final long position;
    private final CRC32C crc = new CRC32C();
    private boolean empty = true;
    private long lastBlockOffset;
    private long lastBlockTimestamp;
    private long nextOffset;
    private long maxTimestampMs = -1;
    private long maxTimestampOffset = -1;

    /** The block being filled. */
    private long blockOffset;

    private int blockBytes;
    private int blockBytesSeen;
    private long blockTimestampMs = -1;

    PartitionBlocks(long partitionId, long position) {
        this.position = position;
        this.index = SegmentPartition.newBuilder().setPartitionId(partitionId).setPosition(position);
    }

    static PartitionBlocks none() {
        return new PartitionBlocks(-1, 0);
    }

    /** Batches of {@code length} bytes follow, then {@link #endOfBatch}. */
    void add(long baseOffset, long batchNextOffset, long batchMaxTimestampMs, int length) {
        follow(baseOffset, batchNextOffset);
        if (blockBytes == 0) {
            blockOffset = baseOffset;
        }
        blockBytes = Math.addExact(blockBytes, length);
        blockTimestampMs = Math.max(blockTimestampMs, batchMaxTimestampMs);
        if (batchMaxTimestampMs > maxTimestampMs) {
            maxTimestampMs = batchMaxTimestampMs;
            maxTimestampOffset = batchNextOffset - 1;
        }
    }

    void bytes(ByteBuffer source, int from, int length) {
        crc.update(source.duplicate().limit(from + length).position(from));
        blockBytesSeen += length;
    }

    void endOfBatch() {
        if (blockBytes != blockBytesSeen) {
            throw new IllegalStateException("a block of " + blockBytes + " bytes got " + blockBytesSeen);
        }
        if (blockBytes >= SegmentLayout.BLOCK_BYTES) {
            closeBlock();
        }
    }

    void addLost(long baseOffset, long lostNextOffset) {
        closeBlock();
        follow(baseOffset, lostNextOffset);
        blockOffset = baseOffset;
        write(0, 0);
    }

    private void follow(long baseOffset, long batchNextOffset) {
        if (empty) {
            index.setFirstOffset(baseOffset);
            lastBlockOffset = baseOffset;
            empty = false;
        } else if (baseOffset != nextOffset) {
            throw new IllegalStateException(
                    "partition " + index.getPartitionId() + ": " + baseOffset + " does not follow " + nextOffset);
        }
        nextOffset = batchNextOffset;
    }

    private void closeBlock() {
        if (blockBytes > 0) {
            write(blockBytes, (int) crc.getValue());
        }
    }

    private void write(int length, int blockCrc) {
        index.addBlockOffsetDelta(blockOffset - lastBlockOffset)
                .addBlockLength(length)
                .addBlockMaxTimestampDelta(blockTimestampMs - lastBlockTimestamp)
                .addBlockCrc(blockCrc);
        lastBlockOffset = blockOffset;
        lastBlockTimestamp = blockTimestampMs;
        blockBytes = 0;
        blockBytesSeen = 0;
        blockTimestampMs = -1;
        crc.reset();
    }

    SegmentPartition build(long endPosition) {
        closeBlock();
        return index.setLength(endPosition - position)
                .setNextOffset(nextOffset)
                .setMaxTimestamp(maxTimestampMs)
                .setMaxTimestampOffset(maxTimestampOffset)
                .build();
    }
}
