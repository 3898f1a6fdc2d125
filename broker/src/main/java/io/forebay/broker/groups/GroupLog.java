package io.forebay.broker.groups;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.Verifier;
import io.forebay.model.Loop;
import io.forebay.model.When;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/**
 * The coordinator's way to its log: Kafka's {@link PartitionWriter} over partitions that are served here.
 *
 * <p>Called on the coordinator's threads. An append moves to the partition's loop and waits for its offset, which takes no I/O (on that
 * loop itself it appends at once); that it is durable the coordinator learns from the high watermark.
 */
public final class GroupLog implements PartitionWriter {

    private static final LogConfig LIMITS = new LogConfig(Map.of());

    private final Map<TopicPartition, Partition> partitions = new ConcurrentHashMap<>();
    private final Map<Listener, Partition.HighWatermarkListener> listeners = new ConcurrentHashMap<>();
    private volatile Verifiers verifiers = (id, partition, adds, loop) -> Verifier.NOBODY;

    /** Gives out who is asked whether a group's partition belongs to a transaction. */
    public interface Verifiers {

        /**
         * For one partition.
         *
         * @param adds whether the partition joins the transaction by this
         */
        Verifier verifier(String transactionalId, TopicPartition partition, boolean adds, Loop loop);
    }

    void verifyWith(Verifiers source) {
        verifiers = source;
    }

    void opened(TopicPartition key, Partition partition) {
        partitions.put(key, partition);
    }

    void closed(TopicPartition key, Partition partition) {
        partitions.remove(key, partition);
    }

    /** Whether this very partition is the one behind a key. */
    boolean serves(TopicPartition key, Partition partition) {
        return partitions.get(key) == partition;
    }

    /** The partition behind a key, if it is served here. */
    Optional<Partition> find(TopicPartition key) {
        return Optional.ofNullable(partitions.get(key));
    }

    private Partition partition(TopicPartition key) {
        return find(key).orElseThrow(() -> new NotLeaderOrFollowerException(key + " is not served here"));
    }

    @Override
    public void registerListener(TopicPartition key, Listener listener) {
        Partition partition = partition(key);
        Partition.HighWatermarkListener follower = offset -> listener.onHighWatermarkUpdated(key, offset);
        listeners.put(listener, follower);
        partition.loop().run(() -> partition.addListener(follower));
    }

    @Override
    public void deregisterListener(TopicPartition key, Listener listener) {
        Partition.HighWatermarkListener follower = listeners.remove(listener);
        Partition partition = partitions.get(key);
        if (follower != null && partition != null) {
            partition.loop().run(() -> partition.removeListener(follower));
        }
    }

    @Override
    public LogConfig config(TopicPartition key) {
        return LIMITS;
    }

    @Override
    public long append(TopicPartition key, VerificationGuard guard, MemoryRecords batch, short transactionVersion) {
        Partition partition = partition(key);
        // The coordinator uses its buffer again as soon as this returns.
        ByteBuffer source = batch.buffer();
        ByteBuffer own =
                ByteBuffer.allocate(source.remaining()).put(source.duplicate()).flip();
        CompletableFuture<OptionalLong> end = new CompletableFuture<>();
        partition.loop().run(() -> {
            try {
                end.complete(partition.appendOwn(own));
            } catch (RuntimeException e) {
                end.completeExceptionally(e);
            }
        });
        try {
            return end.get().orElseThrow(() -> new NotLeaderOrFollowerException(key + " is not served here any more"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted while appending to " + key, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiException refusal) {
                throw refusal;
            }
            throw new KafkaException("could not append to " + key, e.getCause());
        }
    }

    @Override
    public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
            TopicPartition key, String transactionalId, long producerId, short producerEpoch, int apiVersion) {
        Partition partition = partition(key);
        Verifier verifier = verifiers.verifier(
                transactionalId,
                key,
                apiVersion > TxnOffsetCommitRequest.LAST_STABLE_VERSION_BEFORE_TRANSACTION_V2,
                partition.loop());
        CompletableFuture<VerificationGuard> guard = new CompletableFuture<>();
        partition
                .loop()
                .run(() -> When.done(partition.admit(producerId, producerEpoch, verifier), (error, failure) -> {
                    if (failure != null || error != Errors.NONE) {
                        guard.completeExceptionally(failure != null ? failure : error.exception());
                    } else {
                        // The partition's own gate looks again when the batch is appended.
                        guard.complete(VerificationGuard.SENTINEL);
                    }
                }));
        return guard;
    }

    @Override
    public CompletableFuture<Void> deleteRecords(TopicPartition key, long deleteBeforeOffset) {
        Partition partition = partition(key);
        CompletableFuture<Void> done = new CompletableFuture<>();
        partition
                .loop()
                .run(() -> When.done(partition.deleteRecords(deleteBeforeOffset), (result, failure) -> {
                    if (failure != null) {
                        done.completeExceptionally(failure);
                    } else if (result.error() != Errors.NONE) {
                        done.completeExceptionally(result.error().exception());
                    } else {
                        done.complete(null);
                    }
                }));
        return done;
    }
}
