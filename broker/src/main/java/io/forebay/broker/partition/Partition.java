package io.forebay.broker.partition;

import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.broker.fetch.PartitionSource;
import io.forebay.log.batch.BatchView;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.partition.AppendListener;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.partition.PartitionLog;
import io.forebay.log.partition.SequenceCheck;
import io.forebay.model.ByteRun;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition as protocols know it: what may be appended, what may be read, who waits.
 *
 * <p>Owned by its shard's loop, except {@link #produce}, which checks the batch on the caller's thread and moves over by itself.
 * What leaves waits for the flush: replies (also to a duplicate of a batch in flight), high watermark, readers.
 */
public final class Partition implements PartitionSource {

    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

    /** The first version of transactions whose markers carry a new epoch (KIP-890). */
    private static final short EPOCH_PER_TRANSACTION = 2;

    private final UUID topicId;
    private final String topic;
    private final int index;
    private final PartitionLog log;
    private final Loop loop;
    private final Clock clock;
    private final ReadFailures readFailures;
    private final BooleanSupplier mayServe;
    private final LoadCounter load;
    private volatile TopicConfig config;
    private final List<Waiter> waiters = new ArrayList<>();
    private final List<HighWatermarkListener> listeners = new ArrayList<>();
    private final TransactionGate gate;
    private Optional<Errors> closed = Optional.empty();

    /** Told of a partition's new high watermark, on its loop. */
    public interface HighWatermarkListener {
        void highWatermark(long offset);
    }

    /**
     * Begins to serve a partition.
     *
     * @param mayServe whether it is proven that nobody else may own it; without proof nothing is read. Any thread
     * @param load of the shard, to be counted
     */
    public Partition(
            UUID topicId,
            String topic,
            int index,
            PartitionLog log,
            Loop loop,
            Clock clock,
            ReadFailures readFailures,
            BooleanSupplier mayServe,
            TopicConfig config,
            LoadCounter load) {
        this.topicId = topicId;
        this.topic = topic;
        this.index = index;
        this.log = log;
        this.loop = loop;
        this.clock = clock;
        this.readFailures = readFailures;
        this.mayServe = mayServe;
        this.config = config;
        this.load = load;
        this.gate = new TransactionGate(loop, log.memory());
        log.onAdvance(this::advanced);
    }

    @Override
    public Loop loop() {
        return loop;
    }

    public UUID topicId() {
        return topicId;
    }

    public String topic() {
        return topic;
    }

    public int index() {
        return index;
    }

    /** The log below; on the loop only. */
    public PartitionLog log() {
        return log;
    }

    /** From the next batch on. Any thread. */
    public void configure(TopicConfig newConfig) {
        config = newConfig;
    }

    public TopicConfig config() {
        return config;
    }

    // ------------------------------------------------------------------ produce

    /**
     * Checks a batch and appends it. Any thread. See {@code Broker.produce}.
     *
     * @param verifier asked for a transactional batch of a producer without an open transaction here
     */
    public void produce(ByteBuffer records, Verifier verifier, ProduceListener listener) {
        TopicConfig now = config;
        Optional<ProduceResult> refused = BatchCheck.check(records, now, clock.wallMs());
        if (refused.isPresent()) {
            listener.copied();
            listener.done(refused.get());
            return;
        }
        ByteBuffer batch = records;
        if (!now.compression().keeps(BatchView.compression(records, records.position()))) {
            try {
                batch = BatchRecompression.recompress(records, now.compression());
            } catch (RuntimeException malformed) {
                listener.copied();
                listener.done(ProduceResult.failed(Errors.INVALID_RECORD, "the batch's records cannot be unpacked"));
                return;
            }
        }
        long appendTime = -1;
        if (now.logAppendTime()) {
            appendTime = clock.wallMs();
            BatchView.stampLogAppendTime(batch, batch.position(), appendTime);
        }
        Append append = new Append(batch, appendTime, verifier, listener);
        log.runAnnounced(append);
    }

    /**
     * Appends a batch that this node made itself (a coordinator's records): it is not checked. On the loop.
     *
     * @param batch one batch that nobody else touches
     * @return one more than its last offset; it is durable when the high watermark reaches it. Empty if the partition is not served any more
     */
    public OptionalLong appendOwn(ByteBuffer batch) {
        if (closed.isPresent()) {
            return OptionalLong.empty();
        }
        int at = batch.position();
        short attributes = BatchView.attributes(batch, at);
        long producerId = BatchView.producerId(batch, at);
        if (BatchView.isControl(attributes)) {
            gate.ended(producerId, TransactionMarker.UNKNOWN_START);
        } else if (BatchView.isTransactional(attributes)
                && !gate.admits(producerId, BatchView.producerEpoch(batch, at))) {
            throw Errors.INVALID_TXN_STATE.exception();
        }
        int records = BatchView.lastOffsetDelta(batch, batch.position()) + 1;
        load.appended(batch.remaining());
        long base = log.append(batch, OWN);
        return base < 0 ? OptionalLong.empty() : OptionalLong.of(base + records);
    }

    /** Asks the gate for a batch that {@link #appendOwn} will bring. On the loop; completes there. */
    public CompletableFuture<Errors> admit(long producerId, short epoch, Verifier verifier) {
        if (closed.isPresent()) {
            return CompletableFuture.completedFuture(closed.get());
        }
        CompletableFuture<Errors> answer = new CompletableFuture<>();
        if (gate.admits(producerId, epoch)) {
            answer.complete(Errors.NONE);
        } else {
            gate.verify(producerId, epoch, verifier, answer::complete);
        }
        return answer;
    }

    /** What becomes of a marker without writing it: an error, or NONE for one that has been here already; empty: it has to be written. On the loop. */
    public Optional<Errors> judge(TransactionMarker marker) {
        if (closed.isPresent()) {
            return closed;
        }
        long producerId = marker.producerId();
        if (marker.coordinatorEpoch() < log.memory().coordinatorEpoch(producerId)) {
            return Optional.of(Errors.TRANSACTION_COORDINATOR_FENCED);
        }
        if (gate.isOld(marker)) {
            return Optional.of(Errors.NONE);
        }
        short epoch = log.memory().producerEpoch(producerId);
        if (marker.epoch() < epoch) {
            return Optional.of(Errors.INVALID_PRODUCER_EPOCH);
        }
        if (marker.version() >= EPOCH_PER_TRANSACTION && marker.epoch() == epoch) {
            boolean open = log.memory().openTransaction(producerId) >= 0;
            return Optional.of(open ? Errors.INVALID_PRODUCER_EPOCH : Errors.NONE);
        }
        return Optional.empty();
    }

    /** Ends a producer's transaction here. On the loop; completes with NONE when that is durable. */
    public CompletableFuture<Errors> writeMarker(TransactionMarker marker) {
        Optional<Errors> known = judge(marker);
        if (known.isPresent()) {
            return known.get() == Errors.NONE ? durableSoFar() : CompletableFuture.completedFuture(known.get());
        }
        gate.ended(marker.producerId(), marker.startMs());
        ByteBuffer batch = MemoryRecords.withEndTransactionMarker(
                        0L,
                        clock.wallMs(),
                        -1,
                        marker.producerId(),
                        marker.epoch(),
                        new EndTransactionMarker(
                                marker.commit() ? ControlRecordType.COMMIT : ControlRecordType.ABORT,
                                marker.coordinatorEpoch()))
                .buffer();
        return log.append(batch, OWN) < 0
                ? CompletableFuture.completedFuture(Errors.NOT_LEADER_OR_FOLLOWER)
                : durableSoFar();
    }

    /** NONE when all that was appended here is durable. On the loop. */
    public CompletableFuture<Errors> durableSoFar() {
        CompletableFuture<Errors> answer = new CompletableFuture<>();
        log.whenDurable(() -> answer.complete(Errors.NONE), failure -> answer.complete(Errors.NOT_LEADER_OR_FOLLOWER));
        return answer;
    }

    /** Whoever writes for itself follows the high watermark, and is told when the partition closes. */
    private static final AppendListener OWN = new AppendListener() {
        @Override
        public void copied() {
            // The batch is on the heap.
        }

        @Override
        public void durable(long baseOffset) {
            // Seen by the high watermark.
        }

        @Override
        public void failed(JournalEndedException cause) {
            // The session closes the partition.
        }
    };

    /** One produced batch on its way. Owned by the loop. */
    private final class Append implements Runnable, AppendListener {
        private final ByteBuffer batch;
        private final long appendTimeMs;
        private final Verifier verifier;
        private final ProduceListener listener;

        Append(ByteBuffer batch, long appendTimeMs, Verifier verifier, ProduceListener listener) {
            this.batch = batch;
            this.appendTimeMs = appendTimeMs;
            this.verifier = verifier;
            this.listener = listener;
        }

        @Override
        public void run() {
            if (closed.isPresent()) {
                refuse(closed.get(), "");
                return;
            }
            if (batch.remaining() > log.maxBatchBytes()) {
                refuse(
                        Errors.MESSAGE_TOO_LARGE,
                        "the batch has " + batch.remaining() + " bytes, this node's cache takes at most "
                                + log.maxBatchBytes() + ": raise cache.tail.bytes");
                return;
            }
            int at = batch.position();
            long producerId = BatchView.producerId(batch, at);
            short epoch = BatchView.producerEpoch(batch, at);
            if (BatchView.isTransactional(BatchView.attributes(batch, at)) && !gate.admits(producerId, epoch)) {
                gate.verify(producerId, epoch, verifier, this::verified);
                return;
            }
            append(at, producerId);
        }

        private void verified(Errors error) {
            if (closed.isPresent()) {
                refuse(closed.get(), "");
            } else if (error == Errors.NONE) {
                append(batch.position(), BatchView.producerId(batch, batch.position()));
            } else {
                refuse(toProducer(error), "the transaction is not open for this partition: " + error);
            }
        }

        /** What the coordinator says, in words that a producer takes from a partition: what goes by itself is tried again. */
        private Errors toProducer(Errors error) {
            return switch (error) {
                case PRODUCER_FENCED -> Errors.INVALID_PRODUCER_EPOCH;
                case COORDINATOR_LOAD_IN_PROGRESS,
                        COORDINATOR_NOT_AVAILABLE,
                        NOT_COORDINATOR,
                        CONCURRENT_TRANSACTIONS,
                        REQUEST_TIMED_OUT -> Errors.NOT_ENOUGH_REPLICAS;
                default -> error;
            };
        }

        private void append(int at, long producerId) {
            if (producerId != BatchView.NO_PRODUCER) {
                SequenceCheck check = log.memory()
                        .check(
                                producerId,
                                BatchView.producerEpoch(batch, at),
                                BatchView.baseSequence(batch, at),
                                BatchView.recordCount(batch, at));
                switch (check.kind()) {
                    case ACCEPT -> {}
                    case DUPLICATE -> {
                        answerDuplicate(check);
                        return;
                    }
                    case OUT_OF_ORDER -> {
                        refuse(
                                Errors.OUT_OF_ORDER_SEQUENCE_NUMBER,
                                "producer " + producerId + " sent sequence " + BatchView.baseSequence(batch, at)
                                        + " out of order");
                        return;
                    }
                    case FENCED_EPOCH -> {
                        refuse(
                                Errors.INVALID_PRODUCER_EPOCH,
                                "producer " + producerId + " has a newer epoch than "
                                        + BatchView.producerEpoch(batch, at));
                        return;
                    }
                }
            }
            load.appended(batch.remaining());
            var unused = log.append(batch, this);
        }

        private void answerDuplicate(SequenceCheck check) {
            listener.copied();
            log.whenDurable(
                    () -> listener.done(new ProduceResult(
                            Errors.NONE,
                            check.baseOffset(),
                            appendTimeMs >= 0 ? check.timestampMs() : -1,
                            log.startOffset(),
                            "")),
                    failure -> listener.done(unknownOutcome()));
        }

        private void refuse(Errors error, String message) {
            listener.copied();
            listener.done(ProduceResult.failed(error, message));
        }

        @Override
        public void copied() {
            listener.copied();
        }

        @Override
        public void durable(long baseOffset) {
            listener.done(new ProduceResult(Errors.NONE, baseOffset, appendTimeMs, log.startOffset(), ""));
        }

        @Override
        public void failed(JournalEndedException cause) {
            listener.done(unknownOutcome());
        }
    }

    /** The client retries, finds the new owner or session, and an idempotent producer's duplicate is recognised there. */
    private static ProduceResult unknownOutcome() {
        return ProduceResult.failed(
                Errors.NOT_LEADER_OR_FOLLOWER, "the session ended before the batch was known to be durable");
    }

    // ------------------------------------------------------------------ fetch

    @Override
    public long highWatermark() {
        return log.highWatermark();
    }

    @Override
    public @Nullable FetchedPartition readCached(
            PartitionFetch fetch, boolean readCommitted, int maxBytes, int maxMemoryBytes, boolean minOneBatch) {
        FetchedPartition known = withoutReading(fetch, readCommitted);
        if (known != null) {
            return known;
        }
        ByteRun run = log.readCached(fetch.fetchOffset(), limit(readCommitted), maxBytes, maxMemoryBytes, minOneBatch);
        return run == null ? null : fetched(fetch, readCommitted, run);
    }

    @Override
    public CompletableFuture<FetchedPartition> read(
            PartitionFetch fetch, boolean readCommitted, int maxBytes, boolean minOneBatch) {
        return log.read(fetch.fetchOffset(), limit(readCommitted), maxBytes, minOneBatch)
                .handle((run, failure) -> {
                    if (failure == null && refusal(fetch.currentLeaderEpoch()) == Errors.NONE) {
                        return fetched(fetch, readCommitted, run);
                    }
                    if (failure == null) {
                        run.release();
                        return FetchedPartition.failed(refusal(fetch.currentLeaderEpoch()));
                    }
                    return FetchedPartition.failed(readError(failure));
                });
    }

    private Errors readError(Throwable failure) {
        Throwable cause = Retry.unwrap(failure);
        if (closed.isPresent()) {
            return closed.get();
        }
        boolean corrupt = cause instanceof CorruptRangeException;
        readFailures.failed(cause).ifPresent(untold -> {
            String more = untold == 0 ? "" : " (" + untold + " more times since this was last said)";
            if (corrupt) {
                LOG.error("{}-{}: {}{}", topic, index, cause.getMessage(), more);
            } else {
                LOG.warn("{}-{}: a read failed: {}{}", topic, index, cause, more);
            }
        });
        return corrupt ? Errors.CORRUPT_MESSAGE : Errors.KAFKA_STORAGE_ERROR;
    }

    private long limit(boolean readCommitted) {
        return readCommitted ? log.lastStableOffset() : log.highWatermark();
    }

    /** The answer if it needs no records: errors, a diverging epoch, the end of the log. */
    private @Nullable FetchedPartition withoutReading(PartitionFetch fetch, boolean readCommitted) {
        Errors refusal = refusal(fetch.currentLeaderEpoch());
        if (refusal != Errors.NONE) {
            return FetchedPartition.failed(refusal);
        }
        long offset = fetch.fetchOffset();
        if (fetch.lastFetchedEpoch() >= 0) {
            var end = log.memory().endOffsetForEpoch(fetch.lastFetchedEpoch(), log.highWatermark());
            if (end.endOffset() < 0) {
                return FetchedPartition.failed(Errors.OFFSET_OUT_OF_RANGE);
            }
            if (end.epoch() < fetch.lastFetchedEpoch() || end.endOffset() < offset) {
                return withoutRecords(Errors.NONE, (int) end.epoch(), end.endOffset(), PartitionFetch.NO_READER);
            }
        }
        if (offset < log.startOffset() || offset > log.highWatermark()) {
            return withoutRecords(Errors.OFFSET_OUT_OF_RANGE, -1, -1, PartitionFetch.NO_READER);
        }
        // Who does not say an epoch could not tell a reader's end of data from the end of the log.
        boolean mayGo = fetch.reader() != PartitionFetch.NO_READER && fetch.currentLeaderEpoch() >= 0;
        if (mayGo && offset < log.segmentedTo()) {
            return withoutRecords(Errors.NONE, -1, -1, fetch.reader());
        }
        return offset >= limit(readCommitted) ? fetched(fetch, readCommitted, ByteRun.EMPTY) : null;
    }

    private FetchedPartition withoutRecords(Errors error, int divergingEpoch, long divergingEndOffset, int reader) {
        return new FetchedPartition(
                error,
                log.highWatermark(),
                log.lastStableOffset(),
                log.startOffset(),
                ByteRun.EMPTY,
                List.of(),
                divergingEpoch,
                divergingEndOffset,
                reader);
    }

    private FetchedPartition fetched(PartitionFetch fetch, boolean readCommitted, ByteRun run) {
        return new FetchedPartition(
                Errors.NONE,
                log.highWatermark(),
                log.lastStableOffset(),
                log.startOffset(),
                run,
                readCommitted && run.sizeBytes() > 0
                        ? log.memory().aborted(fetch.fetchOffset(), log.lastStableOffset())
                        : List.of(),
                -1,
                -1,
                PartitionFetch.NO_READER);
    }

    /** Why nothing is read here now; NONE if it may be. A node that stood still might show the past, so it needs a proof that is not too old. */
    private Errors refusal(int clientEpoch) {
        if (closed.isPresent()) {
            return closed.get();
        }
        return mayServe.getAsBoolean() ? checkEpoch(clientEpoch) : Errors.NOT_LEADER_OR_FOLLOWER;
    }

    /** A client that knows a newer epoch waits for this node to hear of it; one with an older must refresh (KIP-320). */
    private Errors checkEpoch(int clientEpoch) {
        if (clientEpoch < 0 || clientEpoch == log.leaderEpoch()) {
            return Errors.NONE;
        }
        return clientEpoch < log.leaderEpoch() ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH;
    }

    @Override
    public void answered(int sizeBytes) {
        load.fetched(sizeBytes);
    }

    @Override
    public void addWaiter(Waiter waiter) {
        waiters.add(waiter);
        if (closed.isPresent()) {
            waiter.advanced();
        }
    }

    @Override
    public void removeWaiter(Waiter waiter) {
        waiters.remove(waiter);
    }

    /** Adds somebody who follows the high watermark; told the current one at once. */
    public void addListener(HighWatermarkListener listener) {
        listeners.add(listener);
        listener.highWatermark(log.highWatermark());
    }

    public void removeListener(HighWatermarkListener listener) {
        listeners.remove(listener);
    }

    private void advanced() {
        for (int i = 0; i < waiters.size(); i++) {
            waiters.get(i).advanced();
        }
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).highWatermark(log.highWatermark());
        }
    }

    // ------------------------------------------------------------------ offsets

    /** See {@code Broker.listOffset}. */
    public CompletableFuture<ListedOffset> listOffset(long timestamp, boolean readCommitted, int currentLeaderEpoch) {
        Errors error = refusal(currentLeaderEpoch);
        if (error != Errors.NONE) {
            return CompletableFuture.completedFuture(new ListedOffset(error, -1, -1, -1));
        }
        return new OffsetLookup(log).find(timestamp, limit(readCommitted)).handle((found, failure) -> {
            if (failure == null) {
                return found;
            }
            return new ListedOffset(readError(failure), -1, -1, -1);
        });
    }

    /** See {@code Broker.endOfEpoch}. */
    public EpochEnd endOfEpoch(int currentLeaderEpoch, int leaderEpoch) {
        Errors error = refusal(currentLeaderEpoch);
        if (error != Errors.NONE) {
            return new EpochEnd(error, -1, -1);
        }
        var end = log.memory().endOffsetForEpoch(leaderEpoch, log.highWatermark());
        return new EpochEnd(Errors.NONE, (int) end.epoch(), end.endOffset());
    }

    /** See {@code Broker.deleteRecords}. */
    public CompletableFuture<DeletedRecords> deleteRecords(long offset) {
        if (closed.isPresent()) {
            return CompletableFuture.completedFuture(new DeletedRecords(closed.get(), -1));
        }
        TopicConfig now = config;
        if (!now.delete() && now.compact()) {
            return CompletableFuture.completedFuture(new DeletedRecords(Errors.POLICY_VIOLATION, -1));
        }
        long start = offset == -1 ? log.highWatermark() : offset;
        if (start < 0 || start > log.highWatermark()) {
            return CompletableFuture.completedFuture(new DeletedRecords(Errors.OFFSET_OUT_OF_RANGE, -1));
        }
        CompletableFuture<DeletedRecords> reply = new CompletableFuture<>();
        log.trim(start, new Trimmed(reply));
        return reply;
    }

    /** Lets go what retention no longer keeps, and forgets producers that were silent for too long. */
    public void tend(long producerExpirationMs) {
        if (closed.isEmpty()) {
            var unused = log.memory().expire(clock.wallMs(), producerExpirationMs);
            applyRetention();
        }
    }

    private void applyRetention() {
        TopicConfig now = config;
        if (!now.delete() || (now.retentionMs() < 0 && now.retentionBytes() < 0)) {
            return;
        }
        long oldest = now.retentionMs() < 0 ? -1 : Math.max(0, clock.wallMs() - now.retentionMs());
        long start = log.retentionStart(oldest, now.retentionBytes());
        if (start > log.startOffset()) {
            LOG.info("{}-{}: retention moves the start from {} to {}", topic, index, log.startOffset(), start);
            log.trim(start, new Trimmed(new CompletableFuture<>()));
        }
    }

    private final class Trimmed implements AppendListener {
        private final CompletableFuture<DeletedRecords> reply;

        Trimmed(CompletableFuture<DeletedRecords> reply) {
            this.reply = reply;
        }

        @Override
        public void copied() {
            // A trim has no body.
        }

        @Override
        public void durable(long baseOffset) {
            reply.complete(new DeletedRecords(Errors.NONE, log.startOffset()));
        }

        @Override
        public void failed(JournalEndedException cause) {
            reply.complete(new DeletedRecords(Errors.NOT_LEADER_OR_FOLLOWER, -1));
        }
    }

    // ------------------------------------------------------------------ end

    /** Serves nothing any more; whoever waits is told the error. */
    public void close(Errors error) {
        closed = Optional.of(error);
        List<Waiter> told = new ArrayList<>(waiters);
        for (Waiter waiter : told) {
            waiter.advanced();
        }
    }
}
