package io.forebay.broker.partition;

import io.forebay.log.partition.BatchSpot;
import io.forebay.log.partition.PartitionLog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ListOffsetsRequest;

/** Answers ListOffsets questions of one partition: fixed places, and records by time. Runs on the partition's loop. */
final class OffsetLookup {

    private static final ListedOffset NOT_FOUND = new ListedOffset(Errors.NONE, -1, -1, -1);

    private final PartitionLog log;

    OffsetLookup(PartitionLog log) {
        this.log = log;
    }

    /**
     * Finds an offset.
     *
     * @param limit records at or above it do not count
     */
    CompletableFuture<ListedOffset> find(long timestamp, long limit) {
        if (timestamp == ListOffsetsRequest.LATEST_TIMESTAMP) {
            return at(limit);
        }
        if (timestamp == ListOffsetsRequest.EARLIEST_TIMESTAMP
                || timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP) {
            return at(log.startOffset());
        }
        if (timestamp == ListOffsetsRequest.MAX_TIMESTAMP) {
            long max = log.maxTimestampMs();
            return max < 0 ? CompletableFuture.completedFuture(NOT_FOUND) : search(max, log.startOffset(), limit);
        }
        if (timestamp < 0) {
            // Latest tiered and the like: there is no second tier, so nothing is in it.
            return CompletableFuture.completedFuture(NOT_FOUND);
        }
        return search(timestamp, log.startOffset(), limit);
    }

    private CompletableFuture<ListedOffset> at(long offset) {
        int epoch = (int) log.memory().epochAt(offset);
        return CompletableFuture.completedFuture(
                new ListedOffset(Errors.NONE, -1, offset, epoch >= 0 ? epoch : log.leaderEpoch()));
    }

    private CompletableFuture<ListedOffset> search(long timestamp, long from, long limit) {
        return log.findByTimestamp(timestamp, from, limit).thenCompose(found -> inBatch(timestamp, limit, found));
    }

    private CompletableFuture<ListedOffset> inBatch(long timestamp, long limit, Optional<BatchSpot> found) {
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(NOT_FOUND);
        }
        BatchSpot spot = found.get();
        try {
            for (RecordBatch batch :
                    MemoryRecords.readableRecords(spot.batch().copy()).batches()) {
                for (Record record : batch) {
                    if (record.timestamp() >= timestamp
                            && record.offset() >= log.startOffset()
                            && record.offset() < limit) {
                        return CompletableFuture.completedFuture(new ListedOffset(
                                Errors.NONE, record.timestamp(), record.offset(), batch.partitionLeaderEpoch()));
                    }
                }
            }
        } finally {
            spot.batch().release();
        }
        return search(timestamp, spot.nextOffset(), limit);
    }
}
