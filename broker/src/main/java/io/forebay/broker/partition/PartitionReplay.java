package io.forebay.broker.partition;

import io.forebay.log.partition.CorruptRangeException;
import io.forebay.model.ByteRun;
import io.forebay.model.Retry;
import io.forebay.model.When;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes through a coordinator's partition from its start to its end. Reads on the partition's loop, hands over on the executor, a step at a time. A read that fails
 * is tried again for as long as the partition is served.
 */
public final class PartitionReplay {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionReplay.class);
    private static final int READ_BYTES = 1 << 20;
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LAST_PAUSE_MS = 2_000;

    /** Rebuilds something. Called on the executor; what it throws ends the replay. */
    public interface Target {

        /**
         * Takes a batch.
         *
         * @param from records below this offset do not count: they are before the partition's start
         */
        void replay(RecordBatch batch, long from);

        /** Everything below the offset was handed over, in these bytes since the last call. */
        default void replayedTo(long offset, long bytes) {}
    }

    private final Partition partition;
    private final Executor executor;
    private final BooleanSupplier served;
    private final Target target;
    private final CompletableFuture<Long> end = new CompletableFuture<>();
    private long next;

    /** @param served whether the partition is still served here; asked on its loop */
    public PartitionReplay(Partition partition, Executor executor, BooleanSupplier served, Target target) {
        this.partition = partition;
        this.executor = executor;
        this.served = served;
        this.target = target;
    }

    /** On the partition's loop, once. Completes on the executor with the offset behind the last record. */
    public CompletableFuture<Long> start() {
        next = partition.log().startOffset();
        read();
        return end;
    }

    private void read() {
        long until = partition.log().highWatermark();
        if (next >= until) {
            executor.execute(() -> end.complete(until));
            return;
        }
        long from = next;
        When.doneOn(
                executor,
                Retry.on(partition.loop(), () -> partition.log().read(from, until, READ_BYTES, true), this::pause),
                this::replay);
    }

    private long pause(Throwable cause, int failures) {
        if (cause instanceof CorruptRangeException || !served.getAsBoolean()) {
            return Retry.GIVE_UP;
        }
        LOG.warn(
                "{}-{}: a read failed while loading, it is tried again: {}",
                partition.topic(),
                partition.index(),
                cause.toString());
        return Retry.doubling(failures, FIRST_PAUSE_MS, LAST_PAUSE_MS);
    }

    private void replay(ByteRun run, @Nullable Throwable failure) {
        if (failure != null) {
            end.completeExceptionally(failure);
            return;
        }
        try {
            for (RecordBatch batch : MemoryRecords.readableRecords(run.copy()).batches()) {
                target.replay(batch, next);
                next = batch.nextOffset();
            }
            target.replayedTo(next, run.sizeBytes());
        } catch (RuntimeException e) {
            end.completeExceptionally(e);
            return;
        } finally {
            run.release();
        }
        partition.loop().run(this::read);
    }
}
