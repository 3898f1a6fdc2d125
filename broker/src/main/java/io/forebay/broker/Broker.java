package io.forebay.broker;

import io.forebay.broker.admin.Admin;
import io.forebay.broker.fetch.FetchCall;
import io.forebay.broker.fetch.FetchLimits;
import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.broker.partition.DeletedRecords;
import io.forebay.broker.partition.DescribedProducers;
import io.forebay.broker.partition.EpochEnd;
import io.forebay.broker.partition.ListedOffset;
import io.forebay.broker.partition.PartitionSize;
import io.forebay.broker.partition.ProduceListener;
import io.forebay.broker.transactions.TransactionalProducer;
import io.forebay.broker.transactions.Transactions;
import io.forebay.cluster.image.ClusterImage;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/**
 * One node's broker, as protocols see it. Thread-safe; nothing in here blocks.
 *
 * <p>Call-backs and futures complete on any thread: a front end moves to its connection's loop itself.
 */
public interface Broker {

    /** The newest metadata known here. */
    ClusterImage image();

    /** This node's id. */
    int nodeId();

    /**
     * Appends one record batch (version 2).
     *
     * @param producer whom to ask for at its transaction's coordinator; empty: only batches without a transaction are taken
     * @param records the records field of the request, from position to limit: exactly one batch, else it is refused. Offsets are patched in
     *     place, so its memory must be writable, and unchanged until {@link ProduceListener#copied}
     */
    void produce(
            UUID topicId,
            int index,
            ByteBuffer records,
            Optional<TransactionalProducer> producer,
            ProduceListener listener);

    /**
     * Reads from partitions, and waits as the limits say.
     *
     * @param answer gets one element per partition, in order; called once, on any thread
     */
    FetchCall fetch(List<PartitionFetch> partitions, FetchLimits limits, Consumer<List<FetchedPartition>> answer);

    /**
     * Finds an offset by time.
     *
     * @param timestamp −1 latest, −2 earliest, −3 record with the largest timestamp, else the first record at or after it (ms)
     * @param currentLeaderEpoch −1: not told
     */
    CompletableFuture<ListedOffset> listOffset(
            UUID topicId, int index, long timestamp, boolean readCommitted, int currentLeaderEpoch);

    /** Where the largest leader epoch at or below {@code leaderEpoch} ends (KIP-101, KIP-320). */
    CompletableFuture<EpochEnd> endOfEpoch(UUID topicId, int index, int currentLeaderEpoch, int leaderEpoch);

    /**
     * Moves the start of a partition up.
     *
     * @param offset the new start; −1: everything below the high watermark
     */
    CompletableFuture<DeletedRecords> deleteRecords(UUID topicId, int index, long offset);

    /** Sizes of all partitions served here. */
    CompletableFuture<List<PartitionSize>> sizes();

    /** The volume that all partitions lie on. Never fails: what is not known says so. */
    CompletableFuture<StoreVolume> volume();

    /** Topics, configurations, producer ids. */
    Admin admin();

    /**
     * Whether it is proven that this node's session is not over. Without proof a coordinator must not answer from its memory: another node may coordinate its
     * groups by now.
     */
    boolean mayServe();

    /** Producers that a partition remembers. */
    CompletableFuture<DescribedProducers> producers(UUID topicId, int index);

    /** Transactions, and the coordinators that are here. */
    Transactions transactions();

    /** Classic and KIP-848 groups. */
    GroupCoordinator groups();
}
