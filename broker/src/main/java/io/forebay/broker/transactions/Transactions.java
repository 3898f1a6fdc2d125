package io.forebay.broker.transactions;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.TransactionMarker;
import io.forebay.broker.partition.Verification;
import io.forebay.broker.partition.Verifier;
import io.forebay.broker.session.PartitionObserver;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of one node: the coordinators that are here, and the way to partitions and coordinators. Thread-safe; nothing blocks.
 *
 * <p>Coordinators open and close with their partitions of {@code __transaction_state}.
 */
public final class Transactions implements PartitionObserver {

    /** While the transaction before is being completed, a producer of version 2 may already send; such a batch waits here instead of coming back. */
    private static final long CONCURRENT_PAUSE_MS = 20;

    private static final int CONCURRENT_ATTEMPTS = 50;

    private final boolean offered;
    private final TransactionConfig config;
    private final Clock clock;
    private final Executor loadExecutor;
    private final GroupCoordinator groups;
    private final Map<Integer, TransactionCoordinator> coordinators = new ConcurrentHashMap<>();
    private final Map<Integer, Loop> loops = new ConcurrentHashMap<>();
    private volatile TransactionNode node = TransactionNode.NOWHERE;

    /** @param offered whether clients may use them */
    public Transactions(
            boolean offered, TransactionConfig config, Clock clock, Executor loadExecutor, GroupCoordinator groups) {
        this.offered = offered;
        this.config = config;
        this.clock = clock;
        this.loadExecutor = loadExecutor;
        this.groups = groups;
    }

    /** Says what is around; before the first partition opens. */
    public void attach(TransactionNode around) {
        node = around;
    }

    /** Whether clients may use transactions here. */
    public boolean isOffered() {
        return offered;
    }

    /** The partition of {@code __transaction_state} that an id falls into, by Kafka's rule; before the topic exists, by the number it will have. */
    public int partitionFor(String transactionalId) {
        TopicImage topic = node.image().topic(Topic.TRANSACTION_STATE_TOPIC_NAME);
        int count =
                topic == null ? config.topicPartitions() : topic.partitions().size();
        return Utils.abs(transactionalId.hashCode()) % count;
    }

    @Override
    public void opened(Partition partition, int leaderEpoch) {
        if (partition.topic().equals(Topic.TRANSACTION_STATE_TOPIC_NAME)) {
            TransactionPorts ports = new TransactionPorts(
                    config, clock, loadExecutor, () -> node.newProducerId(), this::send, () -> node.mayServe());
            TransactionCoordinator coordinator = new TransactionCoordinator(partition, leaderEpoch, ports);
            loops.put(partition.index(), partition.loop());
            coordinators.put(partition.index(), coordinator);
            coordinator.open();
        }
    }

    @Override
    public void closed(Partition partition) {
        if (partition.topic().equals(Topic.TRANSACTION_STATE_TOPIC_NAME)) {
            TransactionCoordinator coordinator = coordinators.remove(partition.index());
            if (coordinator != null) {
                coordinator.close();
            }
        }
    }

    // ------------------------------------------------------------------ requests

    public CompletableFuture<TransactionDecision> init(
            String transactionalId, int timeoutMs, long claimedId, short claimedEpoch) {
        return ask(
                transactionalId,
                (policy, now, fresh, nowMs) ->
                        policy.init(transactionalId, now, timeoutMs, claimedId, claimedEpoch, fresh, nowMs));
    }

    public CompletableFuture<TransactionDecision> add(
            String transactionalId,
            long producerId,
            short epoch,
            Collection<TopicPartition> partitions,
            short version) {
        return ask(
                transactionalId,
                (policy, now, fresh, nowMs) -> policy.add(now, producerId, epoch, partitions, version, nowMs));
    }

    public CompletableFuture<TransactionDecision> end(
            String transactionalId, long producerId, short epoch, boolean commit, short version) {
        return ask(
                transactionalId,
                (policy, now, fresh, nowMs) -> policy.end(now, producerId, epoch, commit, version, fresh, nowMs));
    }

    public CompletableFuture<Verification> verify(
            String transactionalId, long producerId, short epoch, TopicPartition partition) {
        return at(
                transactionalId,
                coordinator -> coordinator.verify(transactionalId, producerId, epoch, partition),
                Verification::refused);
    }

    public CompletableFuture<DescribedTransaction> describe(String transactionalId) {
        return at(
                transactionalId,
                coordinator -> coordinator.describe(transactionalId),
                error -> new DescribedTransaction(error, Optional.empty()));
    }

    /** What is coordinated here; empty if some of it is still being loaded. */
    public CompletableFuture<Optional<List<TransactionState>>> list() {
        List<CompletableFuture<Optional<Collection<TransactionState>>>> parts = new ArrayList<>();
        coordinators.forEach((index, coordinator) -> {
            CompletableFuture<Optional<Collection<TransactionState>>> part = new CompletableFuture<>();
            Loop loop = loops.get(index);
            if (loop != null) {
                parts.add(part);
                loop.run(() ->
                        part.complete(coordinator.isLoading() ? Optional.empty() : Optional.of(coordinator.list())));
            }
        });
        return CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> {
                    List<TransactionState> all = new ArrayList<>();
                    for (var part : parts) {
                        Optional<Collection<TransactionState>> states = part.join();
                        if (states.isEmpty()) {
                            return Optional.empty();
                        }
                        all.addAll(states.get());
                    }
                    return Optional.of(all);
                });
    }

    private CompletableFuture<TransactionDecision> ask(String transactionalId, TransactionCoordinator.Request request) {
        return at(
                transactionalId, coordinator -> coordinator.ask(transactionalId, request), TransactionDecision::refuse);
    }

    private <T> CompletableFuture<T> at(
            String transactionalId,
            Function<TransactionCoordinator, CompletableFuture<T>> question,
            Function<Errors, T> refusal) {
        int index = partitionFor(transactionalId);
        TransactionCoordinator coordinator = coordinators.get(index);
        Loop loop = loops.get(index);
        if (coordinator == null || loop == null) {
            return CompletableFuture.completedFuture(refusal.apply(Errors.NOT_COORDINATOR));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.run(() -> When.done(question.apply(coordinator), (told, failure) -> {
            if (failure == null) {
                answer.complete(told);
            } else {
                answer.completeExceptionally(failure);
            }
        }));
        return answer;
    }

    // ------------------------------------------------------------------ partitions

    /**
     * Asks for a partition's batches.
     *
     * @param adds whether the producer leaves it to the partition's owner to add it to the transaction (version 2)
     */
    public Verifier verifier(String transactionalId, TopicPartition partition, boolean adds, Loop loop) {
        return (producerId, epoch) -> {
            CompletableFuture<Verification> answer = new CompletableFuture<>();
            attempt(transactionalId, partition, adds, loop, producerId, epoch, 1, answer);
            return answer;
        };
    }

    private void attempt(
            String transactionalId,
            TopicPartition partition,
            boolean adds,
            Loop loop,
            long producerId,
            short epoch,
            int number,
            CompletableFuture<Verification> answer) {
        CompletableFuture<Errors> added = adds
                ? add(transactionalId, producerId, epoch, List.of(partition), TransactionState.EPOCH_PER_TRANSACTION)
                        .thenApply(TransactionDecision::error)
                : CompletableFuture.completedFuture(Errors.NONE);
        CompletableFuture<Verification> verified = added.thenCompose(error -> error == Errors.NONE
                ? verify(transactionalId, producerId, epoch, partition)
                : CompletableFuture.completedFuture(Verification.refused(error)));
        When.done(verified, (told, failure) -> {
            if (failure != null) {
                answer.complete(Verification.refused(Errors.COORDINATOR_NOT_AVAILABLE));
            } else if (told.error() == Errors.CONCURRENT_TRANSACTIONS && number < CONCURRENT_ATTEMPTS) {
                var unused = loop.schedule(
                        () -> attempt(transactionalId, partition, adds, loop, producerId, epoch, number + 1, answer),
                        CONCURRENT_PAUSE_MS);
            } else {
                answer.complete(told);
            }
        });
    }

    /** A coordinator's marker. A partition that does not exist any more needs none. */
    private CompletableFuture<Errors> send(TopicPartition partition, TransactionMarker marker) {
        ClusterImage image = node.image();
        TopicImage topic = image.topic(partition.topic());
        if (topic == null || partition.partition() >= topic.partitions().size()) {
            return CompletableFuture.completedFuture(Errors.NONE);
        }
        return write(partition, marker);
    }

    /** Writes a marker to a partition that is served here; NONE when it is durable. */
    public CompletableFuture<Errors> write(TopicPartition key, TransactionMarker marker) {
        TopicImage topic = node.image().topic(key.topic());
        if (topic == null
                || key.partition() < 0
                || key.partition() >= topic.partitions().size()) {
            return CompletableFuture.completedFuture(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        }
        Partition partition = node.find(topic.id(), key.partition());
        if (partition == null) {
            return CompletableFuture.completedFuture(Errors.NOT_LEADER_OR_FOLLOWER);
        }
        CompletableFuture<Errors> answer = new CompletableFuture<>();
        partition.loop().run(() -> {
            CompletableFuture<Errors> written = key.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)
                    ? writeOffsets(key, partition, marker)
                    : partition.writeMarker(marker);
            When.done(
                    written,
                    (error, failure) ->
                            answer.complete(failure == null ? error : Errors.forException(Retry.unwrap(failure))));
        });
        return answer;
    }

    /** Offsets belong to groups, whose coordinator writes its own markers, since it applies them as well. */
    private CompletableFuture<Errors> writeOffsets(TopicPartition key, Partition partition, TransactionMarker marker) {
        Optional<Errors> known = partition.judge(marker);
        if (known.isPresent()) {
            return known.get() == Errors.NONE
                    ? partition.durableSoFar()
                    : CompletableFuture.completedFuture(known.get());
        }
        return groups.completeTransaction(
                        key,
                        marker.producerId(),
                        marker.epoch(),
                        marker.coordinatorEpoch(),
                        marker.commit() ? TransactionResult.COMMIT : TransactionResult.ABORT,
                        marker.version())
                .handle((done, failure) -> failure == null ? Errors.NONE : Errors.forException(Retry.unwrap(failure)));
    }

    /** The node around: what it serves and knows. */
    public interface TransactionNode {

        ClusterImage image();

        @Nullable
        Partition find(UUID topicId, int index);

        CompletableFuture<Long> newProducerId();

        boolean mayServe();

        /** Before there is any. */
        TransactionNode NOWHERE = new TransactionNode() {
            @Override
            public ClusterImage image() {
                return io.forebay.cluster.image.MetadataImage.EMPTY;
            }

            @Override
            public @Nullable Partition find(UUID topicId, int index) {
                return null;
            }

            @Override
            public CompletableFuture<Long> newProducerId() {
                return CompletableFuture.failedFuture(new IllegalStateException("the node has not started"));
            }

            @Override
            public boolean mayServe() {
                return false;
            }
        };
    }
}
