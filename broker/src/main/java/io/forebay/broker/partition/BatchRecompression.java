package io.forebay.broker.partition;

import io.forebay.broker.partition.TopicConfig.StoredCompression;
import io.forebay.log.batch.BatchView;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Stores a batch with the compression that the topic asks for: the slow path, with Kafka's own codecs. */
final class BatchRecompression {

    private BatchRecompression() {}

    /**
     * The same records, producer fields and timestamps, compressed anew.
     *
     * @throws RuntimeException if the records cannot be unpacked
     */
    static ByteBuffer recompress(ByteBuffer batch, StoredCompression compression) {
        RecordBatch source = MemoryRecords.readableRecords(batch.duplicate())
                .batches()
                .iterator()
                .next();
        ByteBuffer room = ByteBuffer.allocate(Math.max(512, BatchView.sizeBytes(batch, batch.position())));
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
                room,
                RecordBatch.MAGIC_VALUE_V2,
                Compression.of(typeOf(compression)).build(),
                TimestampType.CREATE_TIME,
                0,
                RecordBatch.NO_TIMESTAMP,
                source.producerId(),
                source.producerEpoch(),
                source.baseSequence(),
                source.isTransactional(),
                false,
                RecordBatch.NO_PARTITION_LEADER_EPOCH,
                Integer.MAX_VALUE);
        long offset = 0;
        for (Record record : source) {
            builder.appendWithOffset(offset++, record.timestamp(), record.key(), record.value(), record.headers());
        }
        return builder.build().buffer();
    }

    private static CompressionType typeOf(StoredCompression compression) {
        return switch (compression) {
            case UNCOMPRESSED -> CompressionType.NONE;
            case GZIP -> CompressionType.GZIP;
            case SNAPPY -> CompressionType.SNAPPY;
            case LZ4 -> CompressionType.LZ4;
            case ZSTD -> CompressionType.ZSTD;
            case PRODUCER -> throw new IllegalArgumentException("'producer' keeps what there is");
        };
    }
}
