package io.forebay.broker.groups;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.PartitionReplay;
import io.forebay.model.Clock;
import io.forebay.model.When;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays a coordinator's partition from its start to its end, on the executor.
 *
 * <p>A read that fails is tried again for as long as the partition is served ({@link PartitionReplay}): Kafka's runtime loads once for each election and leaves a
 * coordinator that failed to load dead. A load whose partition has been closed meanwhile never completes: the runtime would take it for
 * the end of the next one.
 */
public final class GroupLoader implements CoordinatorLoader<CoordinatorRecord> {

    private static final Logger LOG = LoggerFactory.getLogger(GroupLoader.class);
    /** Records after which the state so far counts as committed, so that its snapshots can go. */
    private static final long COMMIT_INTERVAL = 16_384;

    private final GroupLog log;
    private final Deserializer<CoordinatorRecord> deserializer;
    private final Executor executor;
    private final Clock clock;

    public GroupLoader(GroupLog log, Deserializer<CoordinatorRecord> deserializer, Executor executor, Clock clock) {
        this.log = log;
        this.deserializer = deserializer;
        this.executor = executor;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<LoadSummary> load(TopicPartition key, CoordinatorPlayback<CoordinatorRecord> playback) {
        CompletableFuture<LoadSummary> summary = new CompletableFuture<>();
        log.find(key)
                .ifPresent(
                        partition -> partition.loop().run(() -> new Load(key, partition, playback, summary).begin()));
        return summary;
    }

    /** One replay. */
    private final class Load implements PartitionReplay.Target {
        private final TopicPartition key;
        private final Partition partition;
        private final CoordinatorPlayback<CoordinatorRecord> playback;
        private final CompletableFuture<LoadSummary> summary;
        private final long startedMs = clock.wallMs();
        private long committed;
        private long records;
        private long bytes;

        Load(
                TopicPartition key,
                Partition partition,
                CoordinatorPlayback<CoordinatorRecord> playback,
                CompletableFuture<LoadSummary> summary) {
            this.key = key;
            this.partition = partition;
            this.playback = playback;
            this.summary = summary;
        }

        /** On the partition's loop. */
        void begin() {
            committed = partition.log().startOffset();
            CompletableFuture<Long> replayed =
                    new PartitionReplay(partition, executor, () -> log.serves(key, partition), this).start();
            When.done(replayed, (end, failure) -> {
                if (failure == null) {
                    finish(end);
                } else {
                    end(() -> summary.completeExceptionally(failure));
                }
            });
        }

        /** Says how it ended, on the partition's loop, where partitions open and close. */
        private void end(Runnable completion) {
            partition.loop().run(() -> {
                if (log.serves(key, partition)) {
                    completion.run();
                }
            });
        }

        @Override
        public void replayedTo(long offset, long more) {
            bytes += more;
            if (offset - committed >= COMMIT_INTERVAL) {
                commit(offset);
            }
        }

        @Override
        public void replay(RecordBatch batch, long from) {
            if (batch.isControlBatch()) {
                replayMarkers(batch, from);
                return;
            }
            for (Record record : batch) {
                if (record.offset() < from) {
                    continue;
                }
                try {
                    CoordinatorRecord decoded = deserializer.deserialize(record.key(), record.value());
                    playback.replay(record.offset(), batch.producerId(), batch.producerEpoch(), decoded);
                    records++;
                } catch (Deserializer.UnknownRecordTypeException e) {
                    LOG.warn(
                            "{}: record {} is of a type that this version does not know, skipped",
                            key,
                            record.offset());
                }
            }
        }

        /** What a transaction wrote here becomes offsets with its marker, or nothing. */
        private void replayMarkers(RecordBatch batch, long from) {
            for (Record record : batch) {
                ControlRecordType type = ControlRecordType.parse(record.key());
                if (record.offset() >= from && (type == ControlRecordType.COMMIT || type == ControlRecordType.ABORT)) {
                    playback.replayEndTransactionMarker(
                            batch.producerId(),
                            batch.producerEpoch(),
                            type == ControlRecordType.COMMIT ? TransactionResult.COMMIT : TransactionResult.ABORT);
                }
            }
        }

        /** Everything below the offset is durable. The coordinator takes only offsets above the last it was told. */
        private void commit(long offset) {
            if (offset > committed) {
                playback.updateLastWrittenOffset(offset);
                playback.updateLastCommittedOffset(offset);
                committed = offset;
            }
        }

        private void finish(long end) {
            try {
                commit(end);
                end(() -> summary.complete(new LoadSummary(startedMs, clock.wallMs(), 0, records, bytes)));
            } catch (RuntimeException e) {
                end(() -> summary.completeExceptionally(e));
            }
        }
    }

    @Override
    public void close() {
        // The executor belongs to whoever made it.
    }
}
