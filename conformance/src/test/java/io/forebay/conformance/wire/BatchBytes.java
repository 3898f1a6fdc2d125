package io.forebay.conformance.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * The bytes of a v2 record batch that can be made wrong field by field. Positions as in Kafka's message format. Mutable;
 * used by one test.
 */
final class BatchBytes {

    static final int BATCH_LENGTH = 8;
    static final int MAGIC = 16;
    static final int CRC = 17;
    static final int ATTRIBUTES = 21;
    static final int LAST_OFFSET_DELTA = 23;
    static final int FIRST_TIMESTAMP = 27;
    static final int MAX_TIMESTAMP = 35;
    static final int RECORD_COUNT = 57;
    static final int RECORDS = 61;

    private final ByteBuffer bytes;

    private BatchBytes(MemoryRecords records) {
        this.bytes = ByteBuffer.wrap(RawConnection.bytes(records.buffer()));
    }

    /** A correct batch of {@code count} records with the current time. */
    static BatchBytes of(int count) {
        return of(count, Compression.NONE);
    }

    /** A correct compressed batch. */
    static BatchBytes of(int count, Compression compression) {
        return new BatchBytes(MemoryRecords.withRecords(compression, records(count)));
    }

    /** A correct batch of one record whose value has {@code bytes} bytes. */
    static BatchBytes ofOneRecord(int bytes) {
        return new BatchBytes(MemoryRecords.withRecords(
                Compression.NONE, new SimpleRecord(System.currentTimeMillis(), new byte[bytes])));
    }

    /** A correct batch of an idempotent producer. */
    static BatchBytes idempotent(int count, long producerId, short producerEpoch, int sequence) {
        return new BatchBytes(MemoryRecords.withIdempotentRecords(
                Compression.NONE, producerId, producerEpoch, sequence, records(count)));
    }

    private static SimpleRecord[] records(int count) {
        long now = System.currentTimeMillis();
        return IntStream.range(0, count)
                .mapToObj(i -> new SimpleRecord(
                        now,
                        ("key" + i).getBytes(StandardCharsets.US_ASCII),
                        "some value that is long enough to compress compress compress"
                                .getBytes(StandardCharsets.US_ASCII)))
                .toArray(SimpleRecord[]::new);
    }

    BatchBytes putByte(int position, int value) {
        bytes.put(position, (byte) value);
        return this;
    }

    BatchBytes putShort(int position, int value) {
        bytes.putShort(position, (short) value);
        return this;
    }

    BatchBytes putInt(int position, int value) {
        bytes.putInt(position, value);
        return this;
    }

    BatchBytes putLong(int position, long value) {
        bytes.putLong(position, value);
        return this;
    }

    /** Computes the checksum again, so that only what was changed is wrong. */
    BatchBytes sealed() {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), ATTRIBUTES, bytes.capacity() - ATTRIBUTES);
        bytes.putInt(CRC, (int) crc.getValue());
        return this;
    }

    /** How many bytes it has. */
    int size() {
        return bytes.capacity();
    }

    /** The bytes as records, whatever they hold. */
    MemoryRecords records() {
        return MemoryRecords.readableRecords(ByteBuffer.wrap(bytes.array().clone()));
    }

    /** Its first {@code length} bytes. */
    MemoryRecords cutTo(int length) {
        return MemoryRecords.readableRecords(
                ByteBuffer.wrap(bytes.array(), 0, length).slice());
    }

    /** This batch and {@code other} behind it. */
    MemoryRecords followedBy(BatchBytes other) {
        return MemoryRecords.readableRecords(ByteBuffer.allocate(size() + other.size())
                .put(bytes.array())
                .put(other.bytes.array())
                .flip());
    }
}
