package io.forebay.broker.partition;

import io.forebay.log.batch.BatchView;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.protocol.Errors;

/**
 * Decides whether the records of a produce request may become a batch of a partition, before any state is asked. Pure.
 * The errors are Kafka's: what a client may try again is CORRUPT_MESSAGE, what stays wrong is INVALID_RECORD.
 *
 * <p>Looks at the header, the CRC and, for uncompressed batches, at the shape of each record. Compressed records are not
 * unpacked: their CRC is right, their number is what the header says, and nothing in the log depends on more.
 */
final class BatchCheck {

    private static final int KNOWN_ATTRIBUTES = 0x7f;
    private static final int MAX_COMPRESSION_CODE = 4;

    private BatchCheck() {}

    /**
     * Checks the records.
     *
     * @param records exactly one batch from position to limit
     * @param nowMs wall clock
     * @return what is wrong, or empty
     */
    static Optional<ProduceResult> check(ByteBuffer records, TopicConfig config, long nowMs) {
        int at = records.position();
        int size = records.remaining();
        if (size < BatchView.HEADER_BYTES) {
            return refuse(
                    Errors.INVALID_RECORD,
                    "a record batch has at least " + BatchView.HEADER_BYTES + " bytes, this one " + size);
        }
        int magic = BatchView.magic(records, at);
        if (magic != BatchView.MAGIC) {
            return refuse(
                    magic >= 0 && magic < BatchView.MAGIC ? Errors.INVALID_RECORD : Errors.CORRUPT_MESSAGE,
                    "only record batches of version 2 are taken, this one has version " + magic);
        }
        int batchSize = BatchView.sizeBytes(records, at);
        if (batchSize < BatchView.HEADER_BYTES) {
            return corrupt("the batch says it has " + batchSize + " bytes, a header alone has more");
        }
        if (batchSize > size) {
            return refuse(
                    Errors.INVALID_RECORD, "the batch says it has " + batchSize + " bytes, the request holds " + size);
        }
        if (batchSize < size) {
            return refuse(Errors.INVALID_RECORD, "a produce request holds exactly one record batch per partition");
        }
        if (batchSize > config.maxMessageBytes()) {
            return refuse(
                    Errors.MESSAGE_TOO_LARGE,
                    "the batch has " + batchSize + " bytes, max.message.bytes is " + config.maxMessageBytes());
        }
        if (BatchView.crc(records, at) != BatchView.computeCrc(records, at)) {
            return corrupt("the batch's CRC does not match its bytes");
        }
        return checkHeader(records, at, batchSize, config, nowMs);
    }

    private static Optional<ProduceResult> checkHeader(
            ByteBuffer b, int at, int batchSize, TopicConfig config, long nowMs) {
        short attributes = BatchView.attributes(b, at);
        int count = BatchView.recordCount(b, at);
        if ((attributes & ~KNOWN_ATTRIBUTES) != 0 || BatchView.compression(b, at) > MAX_COMPRESSION_CODE) {
            return refuse(Errors.INVALID_RECORD, "unknown batch attributes " + attributes);
        }
        if (BatchView.isControl(attributes)) {
            return refuse(Errors.INVALID_RECORD, "clients cannot write control batches");
        }
        if (count <= 0 || BatchView.lastOffsetDelta(b, at) != count - 1) {
            return refuse(
                    Errors.INVALID_RECORD,
                    "the batch counts " + count + " records but ends at offset delta "
                            + BatchView.lastOffsetDelta(b, at));
        }
        long producerId = BatchView.producerId(b, at);
        if (producerId >= 0 && (BatchView.producerEpoch(b, at) < 0 || BatchView.baseSequence(b, at) < 0)) {
            return refuse(Errors.INVALID_RECORD, "a batch with a producer id needs an epoch and a sequence");
        }
        if (producerId < 0 && BatchView.isTransactional(attributes)) {
            return refuse(Errors.INVALID_RECORD, "a transactional batch needs a producer id");
        }
        if (!config.logAppendTime()) {
            Optional<ProduceResult> wrongTime = checkTime(BatchView.maxTimestamp(b, at), config, nowMs);
            if (wrongTime.isPresent()) {
                return wrongTime;
            }
        }
        return BatchView.compression(b, at) == 0 ? checkRecords(b, at, batchSize, count, config) : Optional.empty();
    }

    private static Optional<ProduceResult> checkTime(long timestamp, TopicConfig config, long nowMs) {
        boolean tooOld = timestamp >= 0 && nowMs - timestamp > config.beforeMaxMs();
        boolean tooNew = timestamp - nowMs > config.afterMaxMs();
        if (tooOld || tooNew) {
            return refuse(
                    Errors.INVALID_TIMESTAMP,
                    "timestamp " + timestamp + " is out of range: " + (tooOld ? "before" : "after") + " the limit of "
                            + (tooOld ? config.beforeMaxMs() : config.afterMaxMs()) + " ms from now (" + nowMs + ")");
        }
        return Optional.empty();
    }

    /** Walks over the records' lengths: they must fill the batch exactly, and compacted topics need keys. */
    private static Optional<ProduceResult> checkRecords(
            ByteBuffer b, int at, int batchSize, int count, TopicConfig config) {
        RecordCursor cursor = new RecordCursor(b, at + BatchView.HEADER_BYTES, at + batchSize);
        for (int i = 0; i < count; i++) {
            if (!cursor.next(i)) {
                return refuse(Errors.INVALID_RECORD, "record " + i + " of the batch is malformed");
            }
            if (config.compact() && !cursor.hasKey()) {
                return refuse(Errors.INVALID_RECORD, "a compacted topic takes only records with a key");
            }
        }
        if (!cursor.atEnd()) {
            return refuse(Errors.INVALID_RECORD, "bytes are left behind the last record of the batch");
        }
        return Optional.empty();
    }

    private static Optional<ProduceResult> corrupt(String message) {
        return refuse(Errors.CORRUPT_MESSAGE, message);
    }

    private static Optional<ProduceResult> refuse(Errors error, String message) {
        return Optional.of(ProduceResult.failed(error, message));
    }
}
