package io.forebay.sim.workload;

import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Batches of numbered records: the value says who wrote it and its number. */
final class Batches {

    private static final int PADDING_MAX = 400;

    private Batches() {}

    /** One record read back. */
    record Read(long offset, int writer, long number) {}

    /**
     * A batch of {@code count} records from {@code firstNumber} on.
     *
     * @param producerId −1: not idempotent
     */
    static ByteBuffer batch(int writer, long firstNumber, int count, long producerId, int sequence) {
        SimpleRecord[] records = new SimpleRecord[count];
        for (int i = 0; i < count; i++) {
            long number = firstNumber + i;
            ByteBuffer value = ByteBuffer.allocate(12 + (int) ((number * 37) % PADDING_MAX));
            value.putInt(writer).putLong(number).rewind();
            records[i] = new SimpleRecord(1_000 + number, null, value.array());
        }
        MemoryRecords built = producerId < 0
                ? MemoryRecords.withRecords(Compression.NONE, records)
                : MemoryRecords.withIdempotentRecords(Compression.NONE, producerId, (short) 0, sequence, records);
        return built.buffer();
    }

    /** The records of a run at or above an offset. */
    static List<Read> read(ByteRun run, long fromOffset) {
        List<Read> all = new ArrayList<>();
        for (RecordBatch batch : MemoryRecords.readableRecords(run.copy()).batches()) {
            batch.ensureValid();
            for (Record record : batch) {
                if (record.offset() >= fromOffset) {
                    ByteBuffer value = record.value();
                    all.add(new Read(record.offset(), value.getInt(), value.getLong()));
                }
            }
        }
        return all;
    }
}
