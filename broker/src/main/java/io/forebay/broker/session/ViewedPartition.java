package io.forebay.broker.session;

import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.broker.fetch.PartitionSource;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.shard.ShardView;
import io.forebay.model.ByteRun;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A partition of another node, read straight from the store (KIP-392): its old records, as far as segments hold them.
 *
 * <p>Where they end the client is sent back to the owner, with OFFSET_OUT_OF_RANGE and a high watermark below what it asked for: that is what the Java client and librdkafka
 * both take for "ask the leader" while they read elsewhere (librdkafka would ask here again for ever after OFFSET_NOT_AVAILABLE). To a client that takes this node for the
 * leader it would mean another thing, so only those are answered that know the present epoch, and so its owner.
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
        if (believed == leaderEpoch) {
            return null;
        }
        return FetchedPartition.failed(
                believed < 0
                        ? Errors.NOT_LEADER_OR_FOLLOWER
                        : believed < leaderEpoch ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH);
    }

    @Override
    public CompletableFuture<FetchedPartition> read(
            PartitionFetch fetch, boolean readCommitted, int maxBytes, boolean minOneBatch) {
        long offset = fetch.fetchOffset();
        return view.thenComposeAsync(
                        shard -> shard.read(partitionId, offset, readCommitted, maxBytes, minOneBatch), loop)
                .handle((found, failure) -> {
                    if (failure != null) {
                        return Retry.unwrap(failure) instanceof CorruptRangeException
                                ? FetchedPartition.failed(Errors.CORRUPT_MESSAGE)
                                : askTheOwner(offset);
                    }
                    return found.map(read -> fetched(read, offset, readCommitted))
                            .orElseGet(() -> askTheOwner(offset));
                });
    }

    private static FetchedPartition askTheOwner(long offset) {
        return new FetchedPartition(
                Errors.OFFSET_OUT_OF_RANGE,
                offset - 1,
                offset - 1,
                -1,
                ByteRun.EMPTY,
                List.of(),
                -1,
                -1,
                PartitionFetch.NO_READER);
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
    public void answered(int bytes) {
        // Counted as load of the shard's owner only.
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
