package io.forebay.broker.transactions;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.PartitionReplay;
import io.forebay.broker.partition.TransactionMarker;
import io.forebay.broker.partition.Verification;
import io.forebay.model.When;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinates the transactions whose ids fall into one partition of {@code __transaction_state}, for as long as this partition is served here. Owned by the
 * partition's loop.
 *
 * <p>A decision changes the state at once and its record is appended; everything that is told, also to those who ask again, waits until all records so far
 * are durable. If an append fails, the session ends and with it this coordinator: the next one replays what was durable.
 */
final class TransactionCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionCoordinator.class);
    private static final long MARKER_FIRST_PAUSE_MS = 20;
    private static final long MARKER_LAST_PAUSE_MS = 1_000;

    private final Partition partition;
    private final int epoch;
    private final TransactionPorts ports;
    private final TransactionPolicy policy;
    private final Map<String, TransactionState> states = new HashMap<>();
    /** Ids with an open transaction: only these time out. */
    private final Set<String> open = new LinkedHashSet<>();
    /** Told when everything up to an offset is durable, by offset. */
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    private final Partition.HighWatermarkListener follower = this::durable;
    private boolean loaded;
    private boolean failed;
    private boolean closed;
    private long lastExpiryMs;

    private record Waiting(long endOffset, Runnable told, Runnable given) {}

    TransactionCoordinator(Partition partition, int epoch, TransactionPorts ports) {
        this.partition = partition;
        this.epoch = epoch;
        this.ports = ports;
        this.policy = new TransactionPolicy(ports.config().maxTimeoutMs());
    }

    /** Begins to load. */
    void open() {
        lastExpiryMs = ports.clock().wallMs();
        TransactionReplay replay = new TransactionReplay();
        CompletableFuture<Map<String, TransactionState>> replayed = new PartitionReplay(
                        partition, ports.loadExecutor(), () -> !closed, replay)
                .start()
                .thenApply(end -> replay.states());
        When.doneOn(partition.loop(), replayed, this::loaded);
    }

    private void loaded(@Nullable Map<String, TransactionState> replayed, @Nullable Throwable failure) {
        if (closed) {
            return;
        }
        if (replayed == null) {
            failed = true;
            LOG.error("transactions of {}-{} cannot be coordinated", partition.topic(), partition.index(), failure);
            return;
        }
        states.putAll(replayed);
        loaded = true;
        partition.addListener(follower);
        for (TransactionState state : replayed.values()) {
            if (state.status() == TransactionStatus.ONGOING) {
                open.add(state.transactionalId());
            } else if (state.status().isPrepared()) {
                new Completion(state).start();
            }
        }
        LOG.info("{}-{}: coordinates {} transactional ids", partition.topic(), partition.index(), states.size());
        tick();
    }

    /** The partition is not served here any more: who waits must look for the next coordinator. */
    void close() {
        closed = true;
        partition.removeListener(follower);
        List<Waiting> left = new ArrayList<>(waiting);
        waiting.clear();
        left.forEach(one -> one.given().run());
    }

    // ------------------------------------------------------------------ requests

    /** Decides, writes, and completes with the decision when it may be told. */
    CompletableFuture<TransactionDecision> ask(String id, Request request) {
        Errors refusal = refusal();
        if (refusal != Errors.NONE) {
            return CompletableFuture.completedFuture(TransactionDecision.refuse(refusal));
        }
        TransactionDecision decision = decide(id, request, OptionalLong.empty());
        if (!decision.needsProducerId()) {
            return settled(decision);
        }
        CompletableFuture<TransactionDecision> answer = new CompletableFuture<>();
        When.doneOn(partition.loop(), ports.newProducerId().get(), (fresh, failure) -> {
            if (failure != null) {
                answer.complete(TransactionDecision.refuse(Errors.COORDINATOR_NOT_AVAILABLE));
                return;
            }
            Errors lost = refusal();
            TransactionDecision again = lost != Errors.NONE
                    ? TransactionDecision.refuse(lost)
                    : decide(id, request, OptionalLong.of(fresh));
            When.done(settled(again), (told, none) -> answer.complete(told));
        });
        return answer;
    }

    /** One request: decides by the state of an id. */
    interface Request {
        TransactionDecision decide(
                TransactionPolicy policy, Optional<TransactionState> now, OptionalLong freshId, long nowMs);
    }

    private TransactionDecision decide(String id, Request request, OptionalLong freshId) {
        return request.decide(
                policy,
                Optional.ofNullable(states.get(id)),
                freshId,
                ports.clock().wallMs());
    }

    private CompletableFuture<TransactionDecision> settled(TransactionDecision decision) {
        if (decision.next().isPresent() && !write(decision.next().get())) {
            return CompletableFuture.completedFuture(TransactionDecision.refuse(Errors.NOT_COORDINATOR));
        }
        return whenDurable(decision, TransactionDecision::refuse);
    }

    /** Whether a partition belongs to a producer's open transaction, and since when that is open. */
    CompletableFuture<Verification> verify(String id, long producerId, short producerEpoch, TopicPartition asked) {
        Errors refusal = refusal();
        if (refusal != Errors.NONE) {
            return CompletableFuture.completedFuture(Verification.refused(refusal));
        }
        Optional<TransactionState> now = Optional.ofNullable(states.get(id));
        Errors error = policy.verify(now, producerId, producerEpoch, asked);
        long startMs = now.map(TransactionState::startMs).orElse(TransactionState.NO_TIME);
        return whenDurable(new Verification(error, startMs), Verification::refused);
    }

    /** The state of one id, or an error. */
    CompletableFuture<DescribedTransaction> describe(String id) {
        Errors refusal = refusal();
        if (refusal != Errors.NONE) {
            return CompletableFuture.completedFuture(new DescribedTransaction(refusal, Optional.empty()));
        }
        Optional<TransactionState> now = Optional.ofNullable(states.get(id));
        Errors error = now.isPresent() ? Errors.NONE : Errors.TRANSACTIONAL_ID_NOT_FOUND;
        return whenDurable(
                new DescribedTransaction(error, now), lost -> new DescribedTransaction(lost, Optional.empty()));
    }

    /** All ids; empty while it loads: then {@link #isLoading}. */
    Collection<TransactionState> list() {
        return List.copyOf(states.values());
    }

    boolean isLoading() {
        return !closed && !loaded && !failed;
    }

    private Errors refusal() {
        if (closed || failed || !ports.mayServe().getAsBoolean()) {
            return Errors.NOT_COORDINATOR;
        }
        return loaded ? Errors.NONE : Errors.COORDINATOR_LOAD_IN_PROGRESS;
    }

    // ------------------------------------------------------------------ records

    /** Makes the state the next one and appends its record. False: the partition is not served any more. */
    private boolean write(TransactionState next) {
        if (!append(next.transactionalId(), TransactionRecordCodec.value(next))) {
            return false;
        }
        states.put(next.transactionalId(), next);
        if (next.status() == TransactionStatus.ONGOING) {
            open.add(next.transactionalId());
        } else {
            open.remove(next.transactionalId());
        }
        if (next.status().isPrepared()) {
            // Nothing reaches a partition before the decision is durable.
            waitFor(new Completion(next)::start, () -> {});
        }
        return true;
    }

    private boolean append(String id, byte @Nullable [] value) {
        SimpleRecord record = new SimpleRecord(ports.clock().wallMs(), TransactionRecordCodec.key(id), value);
        ByteBuffer batch = MemoryRecords.withRecords(Compression.NONE, record).buffer();
        return partition.appendOwn(batch).isPresent();
    }

    private <T> CompletableFuture<T> whenDurable(T answer, Function<Errors, T> lost) {
        CompletableFuture<T> told = new CompletableFuture<>();
        waitFor(() -> told.complete(answer), () -> told.complete(lost.apply(Errors.NOT_COORDINATOR)));
        return told;
    }

    private void waitFor(Runnable told, Runnable given) {
        long end = partition.log().nextOffset();
        if (waiting.isEmpty() && partition.log().highWatermark() >= end) {
            told.run();
        } else {
            waiting.add(new Waiting(end, told, given));
        }
    }

    private void durable(long highWatermark) {
        while (!closed && !waiting.isEmpty() && waiting.element().endOffset() <= highWatermark) {
            waiting.remove().told().run();
        }
    }

    // ------------------------------------------------------------------ time

    private void tick() {
        if (closed) {
            return;
        }
        long nowMs = ports.clock().wallMs();
        for (String id : List.copyOf(open)) {
            TransactionState state = states.get(id);
            if (state != null) {
                policy.timeOut(state, nowMs).ifPresent(aborted -> {
                    LOG.info("transaction of {} is aborted: open for more than {} ms", id, state.timeoutMs());
                    var unused = write(aborted);
                });
            }
        }
        if (nowMs - lastExpiryMs >= ports.config().idExpirationMs() / 100) {
            lastExpiryMs = nowMs;
            forget(nowMs);
        }
        var unused = partition.loop().schedule(this::tick, ports.config().timeoutCheckMs());
    }

    private void forget(long nowMs) {
        for (TransactionState state : List.copyOf(states.values())) {
            if (state.isForgotten(nowMs, ports.config().idExpirationMs()) && append(state.transactionalId(), null)) {
                states.remove(state.transactionalId());
            }
        }
    }

    // ------------------------------------------------------------------ markers

    /** Brings the decided end of one transaction to all of its partitions, each until it is durable there, then records that it is complete. */
    private final class Completion {
        private final TransactionState prepared;
        private final TransactionMarker marker;
        private final Set<TopicPartition> left;

        Completion(TransactionState prepared) {
            this.prepared = prepared;
            this.left = new HashSet<>(prepared.partitions());
            this.marker = new TransactionMarker(
                    prepared.producerId(),
                    prepared.epoch(),
                    prepared.status().isCommit(),
                    epoch,
                    prepared.startMs(),
                    prepared.version());
        }

        void start() {
            for (TopicPartition one : List.copyOf(left)) {
                send(one, 1);
            }
            completeIfDone();
        }

        private void send(TopicPartition one, int attempt) {
            if (closed) {
                return;
            }
            When.doneOn(
                    partition.loop(),
                    ports.markers().write(one, marker),
                    (error, failure) -> answered(one, attempt, failure == null ? error : Errors.forException(failure)));
        }

        private void answered(TopicPartition one, int attempt, Errors error) {
            switch (error) {
                case NONE, INVALID_PRODUCER_EPOCH -> {
                    // A higher epoch there means that a later coordinator has been there, or that this marker is in
                    // place.
                    left.remove(one);
                    completeIfDone();
                }
                case TRANSACTION_COORDINATOR_FENCED ->
                    LOG.warn("{}: another node coordinates {} by now", one, prepared.transactionalId());
                default -> {
                    long pauseMs = Math.min(MARKER_LAST_PAUSE_MS, MARKER_FIRST_PAUSE_MS << Math.min(attempt - 1, 10));
                    var unused = partition.loop().schedule(() -> send(one, attempt + 1), pauseMs);
                }
            }
        }

        private void completeIfDone() {
            if (!closed && left.isEmpty() && prepared.equals(states.get(prepared.transactionalId()))) {
                var unused = write(policy.complete(prepared, ports.clock().wallMs()));
            }
        }
    }
}
