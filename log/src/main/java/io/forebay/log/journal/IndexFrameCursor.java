package io.forebay.log.journal;

import java.util.Arrays;
import java.util.List;

/**
 * Walks over the columns of encoded {@code ShardFrames} without turning them into objects. Owned by one thread.
 *
 * <p>The bytes passed the check of their CRC (or were made by this process); what is malformed in spite of that throws
 * {@link IllegalStateException}.
 */
final class IndexFrameCursor implements FrameCursor {

    /** Field number of the first column, {@code kind}; the others follow. */
    static final int FIRST_COLUMN = 2;

    static final int COLUMNS = 11;

    /**
     * Which frames count.
     *
     * @param anyEpoch whether the epoch does not matter
     * @param from inclusive
     * @param to exclusive
     */
    record Range(boolean anyEpoch, long epoch, JournalPosition from, JournalPosition to) {
        static final Range ALL =
                new Range(true, 0, new JournalPosition(0, 0), new JournalPosition(Long.MAX_VALUE, Integer.MAX_VALUE));

        static Range ofEpoch(long epoch, JournalPosition from, JournalPosition to) {
            return new Range(false, epoch, from, to);
        }
    }

    private final List<JournalIndex.Slice> slices;
    private final Range range;
    private int nextSlice;

    private byte[] bytes = new byte[0];
    private long file;
    private int at;
    private int sliceEnd;
    private int minPosition;
    private int maxPosition;

    private final int[] columnAt = new int[COLUMNS];
    private int kindsEnd;

    private long partitionId;
    private int kind;
    private int position;
    private int bodyLength;
    private long epoch;
    private long baseOffset;
    private int recordCount;
    private long maxTimestamp;
    private short attributes;
    private long producerId;
    private short producerEpoch;
    private int baseSequence;

    IndexFrameCursor(List<JournalIndex.Slice> slices, Range range) {
        this.slices = slices;
        this.range = range;
    }

    @Override
    public boolean next() {
        while (true) {
            while (columnAt[0] < kindsEnd) {
                decodeFrame();
                if (position >= maxPosition) {
                    columnAt[0] = kindsEnd;
                } else if (position >= minPosition && (range.anyEpoch || epoch == range.epoch)) {
                    return true;
                }
            }
            if (!nextPartition() && !nextFile()) {
                return false;
            }
        }
    }

    private boolean nextFile() {
        if (nextSlice == slices.size()) {
            return false;
        }
        JournalIndex.Slice slice = slices.get(nextSlice++);
        bytes = slice.bytes;
        file = slice.file;
        at = slice.from;
        sliceEnd = slice.to;
        minPosition =
                file < range.from.file() ? Integer.MAX_VALUE : file == range.from.file() ? range.from.position() : 0;
        maxPosition = file > range.to.file() ? 0 : file == range.to.file() ? range.to.position() : Integer.MAX_VALUE;
        return true;
    }

    private boolean nextPartition() {
        while (at < sliceEnd) {
            int tag = (int) varintAtPosition();
            if (tag == JournalIndex.WireFormatTag.bytes(2)) {
                int length = length();
                int end = at + length;
                openPartition(end);
                at = end;
                return true;
            }
            skip(tag);
        }
        return false;
    }

    private void openPartition(int end) {
        partitionId = 0;
        Arrays.fill(columnAt, -1);
        kindsEnd = 0;
        while (at < end) {
            int tag = (int) varintAtPosition();
            int column = (tag >>> 3) - FIRST_COLUMN;
            if (tag == 1 << 3) {
                partitionId = varintAtPosition();
            } else if (column >= 0 && column < COLUMNS && (tag & 7) == 2 && columnAt[column] < 0) {
                int length = length();
                columnAt[column] = at;
                at += length;
                if (column == 0) {
                    kindsEnd = at;
                }
            } else {
                skip(tag);
            }
        }
        for (int column : columnAt) {
            if (column < 0) {
                throw malformed();
            }
        }
        position = 0;
        epoch = 0;
        baseOffset = 0;
        maxTimestamp = 0;
        producerId = 0;
    }

    private void decodeFrame() {
        kind = (int) varint(0);
        position += (int) varint(1);
        bodyLength = (int) varint(2);
        epoch += zigzag(3);
        baseOffset += zigzag(4);
        recordCount = (int) varint(5);
        maxTimestamp += zigzag(6);
        attributes = (short) varint(7);
        producerId += zigzag(8);
        producerEpoch = (short) zigzag(9);
        baseSequence = (int) zigzag(10);
    }

    private long zigzag(int column) {
        long coded = varint(column);
        return (coded >>> 1) ^ -(coded & 1);
    }

    private long varint(int column) {
        int from = columnAt[column];
        byte first = bytes[from];
        if (first >= 0) {
            columnAt[column] = from + 1;
            return first;
        }
        int kept = at;
        at = from;
        long value = varintAtPosition();
        columnAt[column] = at;
        at = kept;
        return value;
    }

    private long varintAtPosition() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= bytes.length) {
                throw malformed();
            }
            byte b = bytes[at++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw malformed();
    }

    private int length() {
        long length = varintAtPosition();
        if (length < 0 || length > bytes.length - at) {
            throw malformed();
        }
        return (int) length;
    }

    /** Steps over a field that this version does not know. */
    private void skip(int tag) {
        switch (tag & 7) {
            case 0 -> {
                var unused = varintAtPosition();
            }
            case 1 -> at += 8;
            case 2 -> {
                int length = length();
                at += length;
            }
            case 5 -> at += 4;
            default -> throw malformed();
        }
    }

    private IllegalStateException malformed() {
        return new IllegalStateException("malformed index of journal file " + file);
    }

    @Override
    public FrameKind kind() {
        FrameKind known = FrameKind.ofCode(kind & ~JournalIndexBuilder.DAMAGED);
        if (known == null) {
            throw malformed();
        }
        return known;
    }

    @Override
    public boolean damaged() {
        return (kind & JournalIndexBuilder.DAMAGED) != 0;
    }

    @Override
    public long file() {
        return file;
    }

    @Override
    public int position() {
        return position;
    }

    @Override
    public int bodyPosition() {
        return position + FrameCodec.HEADER_BYTES;
    }

    @Override
    public int bodyLength() {
        return bodyLength;
    }

    @Override
    public long partitionId() {
        return partitionId;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long baseOffset() {
        return baseOffset;
    }

    @Override
    public int recordCount() {
        return recordCount;
    }

    @Override
    public long maxTimestamp() {
        return maxTimestamp;
    }

    @Override
    public short attributes() {
        return attributes;
    }

    @Override
    public long producerId() {
        return producerId;
    }

    @Override
    public short producerEpoch() {
        return producerEpoch;
    }

    @Override
    public int baseSequence() {
        return baseSequence;
    }
}
