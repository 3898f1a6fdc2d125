package io.forebay.log.journal;

import io.forebay.log.batch.BatchView;
import io.forebay.log.batch.MarkerView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gathers what the index at the end of a journal file says of its frames. Owned by one thread.
 *
 * <p>A frame costs {@value #ROW_BYTES} bytes until the index is encoded. Frames of one partition are chained in the order of their
 * positions; nothing is allocated for a frame but the chunks that rows lie in.
 */
final class JournalIndexBuilder {

    /** Set in a frame's kind when its body is damaged. Only in memory, never in a file. */
    static final int DAMAGED = 0x80;

    private static final int ROW_BYTES = 69;
    private static final int CHUNK_ROWS = 1024;
    private static final int NONE = -1;

    private final List<ByteBuffer> chunks = new ArrayList<>();
    private int rows;

    /** Chains, one for each shard and partition: parallel arrays, found through an open-addressing table. */
    private int groups;

    private int[] groupShard = new int[16];
    private long[] groupPartition = new long[16];
    private int[] groupFirst = new int[16];
    private int[] groupLast = new int[16];
    private int[] table = emptyTable(64);

    /** Forgets all frames. */
    void clear() {
        chunks.clear();
        rows = 0;
        groups = 0;
        table = emptyTable(64);
    }

    int frameCount() {
        return rows;
    }

    /**
     * Adds a frame that lies behind all frames added before.
     *
     * @param kind code of the kind, maybe with {@link #DAMAGED}
     * @param body holds a batch at {@code bodyAt}; not looked at for other kinds
     */
    void add(
            int kind,
            int shard,
            long partitionId,
            int position,
            int bodyLength,
            long epoch,
            long baseOffset,
            int recordCount,
            ByteBuffer body,
            int bodyAt) {
        int row = rows++;
        if (row / CHUNK_ROWS == chunks.size()) {
            chunks.add(ByteBuffer.allocate(CHUNK_ROWS * ROW_BYTES));
        }
        ByteBuffer chunk = chunks.get(row / CHUNK_ROWS);
        int at = row % CHUNK_ROWS * ROW_BYTES;
        chunk.putInt(at, NONE).put(at + 4, (byte) kind).putInt(at + 5, position).putInt(at + 9, bodyLength);
        chunk.putLong(at + 13, epoch).putLong(at + 21, baseOffset).putInt(at + 29, recordCount);
        if (kind == FrameKind.BATCH.code()) {
            chunk.putLong(at + 33, BatchView.maxTimestamp(body, bodyAt));
            chunk.putShort(at + 41, MarkerView.attributes(body, bodyAt));
            chunk.putLong(at + 43, BatchView.producerId(body, bodyAt));
            chunk.putShort(at + 51, BatchView.producerEpoch(body, bodyAt));
            chunk.putInt(at + 53, MarkerView.sequence(body, bodyAt));
        } else {
            chunk.putLong(at + 33, -1).putShort(at + 41, (short) 0);
            chunk.putLong(at + 43, BatchView.NO_PRODUCER)
                    .putShort(at + 51, (short) -1)
                    .putInt(at + 53, -1);
        }
        chunk.putInt(at + 57, shard).putLong(at + 61, partitionId);
        link(row, shard, partitionId);
    }

    /** Hangs the row at the end of its partition's chain. */
    private void link(int row, int shard, long partitionId) {
        int slot = slotOf(shard, partitionId);
        int group = table[slot];
        if (group == NONE) {
            group = groups++;
            if (group == groupShard.length) {
                groupShard = Arrays.copyOf(groupShard, group * 2);
                groupPartition = Arrays.copyOf(groupPartition, group * 2);
                groupFirst = Arrays.copyOf(groupFirst, group * 2);
                groupLast = Arrays.copyOf(groupLast, group * 2);
            }
            groupShard[group] = shard;
            groupPartition[group] = partitionId;
            groupFirst[group] = row;
            groupLast[group] = row;
            table[slot] = group;
            if (groups * 2 > table.length) {
                rehash();
            }
            return;
        }
        int last = groupLast[group];
        chunks.get(last / CHUNK_ROWS).putInt(last % CHUNK_ROWS * ROW_BYTES, row);
        groupLast[group] = row;
    }

    private int slotOf(int shard, long partitionId) {
        long mixed = (partitionId * 31 + shard) * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 32) & (table.length - 1);
        while (table[slot] != NONE
                && (groupShard[table[slot]] != shard || groupPartition[table[slot]] != partitionId)) {
            slot = (slot + 1) & (table.length - 1);
        }
        return slot;
    }

    private void rehash() {
        table = emptyTable(table.length * 2);
        for (int group = 0; group < groups; group++) {
            table[slotOf(groupShard[group], groupPartition[group])] = group;
        }
    }

    private static int[] emptyTable(int size) {
        int[] table = new int[size];
        Arrays.fill(table, NONE);
        return table;
    }

    /** The shards of all frames, ascending. */
    List<Integer> shards() {
        return Arrays.stream(groupShard, 0, groups).sorted().distinct().boxed().toList();
    }

    /** The encoded {@code JournalIndex} of all frames that begin before {@code end}. */
    byte[] encode(int end) {
        Integer[] order = new Integer[groups];
        Arrays.setAll(order, i -> i);
        Arrays.sort(
                order,
                (a, b) -> groupShard[a] != groupShard[b]
                        ? Integer.compare(groupShard[a], groupShard[b])
                        : Long.compare(groupPartition[a], groupPartition[b]));
        ProtoSink index = new ProtoSink();
        ProtoSink shard = new ProtoSink();
        PartitionEncoder partition = new PartitionEncoder();
        for (int i = 0; i < order.length; i++) {
            int group = order[i];
            partition.encode(group, end, shard);
            boolean lastOfShard = i + 1 == order.length || groupShard[order[i + 1]] != groupShard[group];
            if (lastOfShard && shard.size() > 0) {
                ProtoSink whole = new ProtoSink();
                whole.varintField(1, groupShard[group]);
                whole.append(shard);
                index.bytesField(1, whole);
                shard.clear();
            }
        }
        return index.toByteArray();
    }

    /** Turns one chain of rows into columns. */
    private final class PartitionEncoder {
        private final ProtoSink[] columns = new ProtoSink[IndexFrameCursor.COLUMNS];
        private final ProtoSink message = new ProtoSink();

        PartitionEncoder() {
            Arrays.setAll(columns, i -> new ProtoSink());
        }

        void encode(int group, int end, ProtoSink shard) {
            for (ProtoSink column : columns) {
                column.clear();
            }
            int position = 0;
            long epoch = 0;
            long baseOffset = 0;
            long maxTimestamp = 0;
            long producerId = 0;
            int row = groupFirst[group];
            while (row != NONE) {
                ByteBuffer c = chunks.get(row / CHUNK_ROWS);
                int at = row % CHUNK_ROWS * ROW_BYTES;
                if (c.getInt(at + 5) >= end) {
                    break;
                }
                columns[0].varint(c.get(at + 4) & 0xff);
                columns[1].varint(c.getInt(at + 5) - position);
                columns[2].varint(c.getInt(at + 9));
                columns[3].zigzag(c.getLong(at + 13) - epoch);
                columns[4].zigzag(c.getLong(at + 21) - baseOffset);
                columns[5].varint(c.getInt(at + 29));
                columns[6].zigzag(c.getLong(at + 33) - maxTimestamp);
                columns[7].varint(c.getShort(at + 41) & 0xffff);
                columns[8].zigzag(c.getLong(at + 43) - producerId);
                columns[9].zigzag(c.getShort(at + 51));
                columns[10].zigzag(c.getInt(at + 53));
                position = c.getInt(at + 5);
                epoch = c.getLong(at + 13);
                baseOffset = c.getLong(at + 21);
                maxTimestamp = c.getLong(at + 33);
                producerId = c.getLong(at + 43);
                row = c.getInt(at);
            }
            if (columns[0].size() == 0) {
                return;
            }
            message.clear();
            message.varintField(1, groupPartition[group]);
            for (int i = 0; i < columns.length; i++) {
                message.bytesField(IndexFrameCursor.FIRST_COLUMN + i, columns[i]);
            }
            shard.bytesField(2, message);
        }
    }
}
