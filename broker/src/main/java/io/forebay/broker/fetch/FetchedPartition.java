package io.forebay.broker.fetch;

import io.forebay.log.partition.AbortedTransaction;
import io.forebay.model.ByteRun;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;

/**
 * The answer for one partition, in the order of the request.
 *
 * @param records whole batches; the receiver releases it
 * @param reader node that should be asked instead, since it is in the client's rack and has the records; −1: none (KIP-392)
 * @param divergingEpoch −1 unless the client's last fetched epoch diverges; then the epoch and end offset to truncate to
 */
public record FetchedPartition(
        Errors error,
        long highWatermark,
        long lastStableOffset,
        long logStartOffset,
        ByteRun records,
        List<AbortedTransaction> aborted,
        int divergingEpoch,
        long divergingEndOffset,
        int reader) {

    public static FetchedPartition failed(Errors error) {
        return new FetchedPartition(error, -1, -1, -1, ByteRun.EMPTY, List.of(), -1, -1, PartitionFetch.NO_READER);
    }
}
