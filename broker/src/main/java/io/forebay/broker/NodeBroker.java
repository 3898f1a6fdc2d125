package io.forebay.broker;

import io.forebay.broker.admin.Admin;
import io.forebay.broker.fetch.Fetch;
import io.forebay.broker.fetch.FetchCall;
import io.forebay.broker.fetch.FetchLimits;
import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.broker.fetch.PartitionSource;
import io.forebay.broker.partition.DeletedRecords;
import io.forebay.broker.partition.DescribedProducers;
import io.forebay.broker.partition.EpochEnd;
import io.forebay.broker.partition.ListedOffset;
import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.PartitionSize;
import io.forebay.broker.partition.ProduceListener;
import io.forebay.broker.partition.ProduceResult;
import io.forebay.broker.partition.Verifier;
import io.forebay.broker.session.NodeSessions;
import io.forebay.broker.transactions.TransactionalProducer;
import io.forebay.broker.transactions.Transactions;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.model.Loop;
import io.forebay.model.When;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.jspecify.annotations.Nullable;

/** The broker of one node: finds the partition that a call is for and moves to its loop. Thread-safe. */
public final class NodeBroker implements Broker {

    private final int nodeId;
    private final NodeSessions sessions;
    private final Admin admin;
    private final GroupCoordinator groups;
    private final Transactions transactions;
    private final Loop fallbackLoop;
    private final Supplier<CompletableFuture<StoreVolume>> volume;

    /**
     * Puts the parts together.
     *
     * @param fallbackLoop where a fetch lives that finds no partition here
     * @param volume asks the store for its volume; may fail
     */
    public NodeBroker(
            int nodeId,
            NodeSessions sessions,
            Admin admin,
            GroupCoordinator groups,
            Transactions transactions,
            Loop fallbackLoop,
            Supplier<CompletableFuture<StoreVolume>> volume) {
        this.nodeId = nodeId;
        this.sessions = sessions;
        this.admin = admin;
        this.groups = groups;
        this.transactions = transactions;
        this.fallbackLoop = fallbackLoop;
        this.volume = volume;
    }

    @Override
    public ClusterImage image() {
        return sessions.image();
    }

    @Override
    public int nodeId() {
        return nodeId;
    }

    @Override
    public void produce(
            UUID topicId,
            int index,
            ByteBuffer records,
            Optional<TransactionalProducer> producer,
            ProduceListener listener) {
        Partition partition = sessions.served().find(topicId, index);
        if (partition == null) {
            listener.copied();
            listener.done(ProduceResult.failed(missing(topicId, index), ""));
            return;
        }
        Verifier verifier = producer.isEmpty()
                ? Verifier.NOBODY
                : transactions.verifier(
                        producer.get().transactionalId(),
                        new TopicPartition(partition.topic(), index),
                        producer.get().addsByProducing(),
                        partition.loop());
        partition.produce(records, verifier, listener);
    }

    @Override
    public FetchCall fetch(
            List<PartitionFetch> partitions, FetchLimits limits, Consumer<List<FetchedPartition>> answer) {
        List<Fetch.Target> targets = new ArrayList<>(partitions.size());
        for (PartitionFetch want : partitions) {
            PartitionSource source = source(want);
            targets.add(new Fetch.Target(
                    want, source, source == null ? missing(want.topicId(), want.index()) : Errors.NONE));
        }
        return new Fetch(targets, limits, fallbackLoop, answer).start();
    }

    /** The partition, or what of it can be read here if the client's rack lets it be read elsewhere; null if nothing. */
    private @Nullable PartitionSource source(PartitionFetch want) {
        Partition partition = sessions.served().find(want.topicId(), want.index());
        return partition != null || want.reader() == PartitionFetch.NO_READER
                ? partition
                : sessions.viewed(want.topicId(), want.index()).orElse(null);
    }

    @Override
    public CompletableFuture<ListedOffset> listOffset(
            UUID topicId, int index, long timestamp, boolean readCommitted, int currentLeaderEpoch) {
        return onPartition(
                topicId,
                index,
                partition -> partition.listOffset(timestamp, readCommitted, currentLeaderEpoch),
                error -> new ListedOffset(error, -1, -1, -1));
    }

    @Override
    public CompletableFuture<EpochEnd> endOfEpoch(UUID topicId, int index, int currentLeaderEpoch, int leaderEpoch) {
        return onPartition(
                topicId,
                index,
                partition -> CompletableFuture.completedFuture(partition.endOfEpoch(currentLeaderEpoch, leaderEpoch)),
                error -> new EpochEnd(error, -1, -1));
    }

    @Override
    public CompletableFuture<DeletedRecords> deleteRecords(UUID topicId, int index, long offset) {
        return onPartition(
                topicId, index, partition -> partition.deleteRecords(offset), error -> new DeletedRecords(error, -1));
    }

    @Override
    public CompletableFuture<DescribedProducers> producers(UUID topicId, int index) {
        return onPartition(
                topicId,
                index,
                partition -> CompletableFuture.completedFuture(new DescribedProducers(
                        Errors.NONE, partition.log().memory().activeProducers())),
                error -> new DescribedProducers(error, List.of()));
    }

    @Override
    public Transactions transactions() {
        return transactions;
    }

    @Override
    public CompletableFuture<List<PartitionSize>> sizes() {
        List<CompletableFuture<PartitionSize>> sizes = new ArrayList<>();
        for (Partition partition : sessions.served().all()) {
            CompletableFuture<PartitionSize> size = new CompletableFuture<>();
            sizes.add(size);
            partition
                    .loop()
                    .run(() -> size.complete(new PartitionSize(
                            partition.topicId(),
                            partition.index(),
                            partition.log().sizeBytes())));
        }
        return CompletableFuture.allOf(sizes.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> sizes.stream().map(CompletableFuture::join).toList());
    }

    @Override
    public CompletableFuture<StoreVolume> volume() {
        return volume.get().exceptionally(failure -> StoreVolume.UNKNOWN);
    }

    @Override
    public Admin admin() {
        return admin;
    }

    @Override
    public boolean mayServe() {
        return sessions.mayServe();
    }

    @Override
    public GroupCoordinator groups() {
        return groups;
    }

    private <T> CompletableFuture<T> onPartition(
            UUID topicId, int index, Function<Partition, CompletableFuture<T>> ask, Function<Errors, T> refusal) {
        Partition partition = sessions.served().find(topicId, index);
        if (partition == null) {
            return CompletableFuture.completedFuture(refusal.apply(missing(topicId, index)));
        }
        CompletableFuture<T> reply = new CompletableFuture<>();
        partition
                .loop()
                .run(() -> When.done(ask.apply(partition), (answer, failure) -> {
                    if (failure == null) {
                        reply.complete(answer);
                    } else {
                        reply.completeExceptionally(failure);
                    }
                }));
        return reply;
    }

    /** Why a partition isn't served here: it does not exist, or it will be in a moment. */
    private Errors missing(UUID topicId, int index) {
        @Nullable TopicImage topic = sessions.image().topic(topicId);
        if (topic == null || index < 0 || index >= topic.partitions().size()) {
            return Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        return sessions.served().isDamaged(topic.partitions().get(index).shard())
                ? Errors.KAFKA_STORAGE_ERROR
                : Errors.NOT_LEADER_OR_FOLLOWER;
    }
}
