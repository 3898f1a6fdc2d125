package io.forebay.broker.session;

import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.broker.fetch.PartitionSource;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.shard.ShardView;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A partition of another node, read straight from the store (KIP-392): its old records, as far as segments hold them. At their end, or where the store does not
 * answer, the client is sent back to the owner with OFFSET_NOT_AVAILABLE.
 *
 * @param leaderEpoch as this node knows it
 */
record ViewedPartition(CompletableFuture<ShardView> view, Loop loop, long partitionId, int leaderEpoch)
        implements PartitionSource {

    @Override
    public long highWatermark() {
        return -1;
    }

    @Override
    public @Nullable FetchedPartition readCached(
            PartitionFetch fetch, boolean readCommitted, int maxBytes, int maxMemoryBytes, boolean minOneBatch) {
        int believed = fetch.currentLeaderEpoch();
        if (believed < 0 || believed == leaderEpoch) {
            return null;
        }
        return FetchedPartition.failed(
                believed < leaderEpoch ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH);
    }

    @Override
    public CompletableFuture<FetchedPartition> read(
            PartitionFetch fetch, boolean readCommitted, int maxBytes, boolean minOneBatch) {
        long offset = fetch.fetchOffset();
        return view.thenComposeAsync(
                        shard -> shard.read(partitionId, offset, readCommitted, maxBytes, minOneBatch), loop)
                .handle((found, failure) -> {
                    if (failure != null) {
                        return FetchedPartition.failed(
                                Retry.unwrap(failure) instanceof CorruptRangeException
                                        ? Errors.CORRUPT_MESSAGE
                                        : Errors.OFFSET_NOT_AVAILABLE);
                    }
                    return found.map(read -> fetched(read, offset, readCommitted))
                            .orElseGet(() -> FetchedPartition.failed(Errors.OFFSET_NOT_AVAILABLE));
                });
    }

    private static FetchedPartition fetched(ShardView.Found found, long offset, boolean readCommitted) {
        return new FetchedPartition(
                Errors.NONE,
                found.partition().endOffset(),
                found.partition().lastStableOffset(),
                found.partition().startOffset(),
                found.records(),
                readCommitted
                        ? found.partition()
                                .memory()
                                .aborted(offset, found.partition().lastStableOffset())
                        : List.of(),
                -1,
                -1,
                PartitionFetch.NO_READER);
    }

    @Override
    public void addWaiter(Waiter waiter) {
        // Every answer of a view tells something: nobody waits.
    }

    @Override
    public void removeWaiter(Waiter waiter) {
        // Nobody waits.
    }
}
