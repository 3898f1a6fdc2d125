package io.forebay.broker.transactions;

import io.forebay.broker.partition.Partition;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.model.ByteRun;
import io.forebay.model.Retry;
import io.forebay.model.When;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the states of all ids from a coordinator's partition, from its start to its end. Reads on the partition's loop, replays on the executor, a step at
 * a time. A read that fails is tried again for as long as the partition is served.
 */
final class TransactionReplay {

    private static final int READ_BYTES = 1 << 20;
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LAST_PAUSE_MS = 2_000;

    private final Partition partition;
    private final Executor executor;
    private final BooleanSupplier served;
    private final Map<String, TransactionState> states = new HashMap<>();
    private final CompletableFuture<Map<String, TransactionState>> result = new CompletableFuture<>();
    private long next;

    /** @param served whether the partition is still served here; asked on its loop */
    TransactionReplay(Partition partition, Executor executor, BooleanSupplier served) {
        this.partition = partition;
        this.executor = executor;
        this.served = served;
    }

    /** On the partition's loop; completes on the executor. */
    CompletableFuture<Map<String, TransactionState>> start() {
        next = partition.log().startOffset();
        read();
        return result;
    }

    private void read() {
        long end = partition.log().highWatermark();
        if (next >= end) {
            result.complete(states);
            return;
        }
        long from = next;
        When.doneOn(
                executor,
                Retry.on(partition.loop(), () -> partition.log().read(from, end, READ_BYTES, true), this::pause),
                this::replay);
    }

    private long pause(Throwable cause, int failures) {
        return cause instanceof CorruptRangeException || !served.getAsBoolean()
                ? Retry.GIVE_UP
                : Retry.doubling(failures, FIRST_PAUSE_MS, LAST_PAUSE_MS);
    }

    private void replay(ByteRun run, @Nullable Throwable failure) {
        if (failure != null) {
            result.completeExceptionally(failure);
            return;
        }
        try {
            for (RecordBatch batch : MemoryRecords.readableRecords(run.copy()).batches()) {
                if (!batch.isControlBatch()) {
                    for (Record record : batch) {
                        apply(record);
                    }
                }
                next = batch.nextOffset();
            }
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
            return;
        } finally {
            run.release();
        }
        partition.loop().run(this::read);
    }

    private void apply(Record record) {
        if (record.offset() < next) {
            return;
        }
        TransactionRecordCodec.id(record.key())
                .ifPresent(id -> TransactionRecordCodec.state(id, record.value())
                        .ifPresentOrElse(state -> states.put(id, state), () -> states.remove(id)));
    }
}
