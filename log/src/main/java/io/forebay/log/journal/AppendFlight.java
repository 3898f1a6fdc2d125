package io.forebay.log.journal;

import io.forebay.model.ByteRun;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One append on its way. Reports one outcome, once, on the journal loop; whatever the store says after the time is up is ignored. The
 * memory is held until the store really is done with it. Owned by the journal loop.
 */
final class AppendFlight {

    /** What became of the append. */
    interface Outcome {
        /** All of it is durable, and nobody had fenced the writer by then. */
        void durable();

        /** Nobody knows how much of it is or will be there: the file must not be touched again. */
        void failed(String why);

        void fenced();
    }

    private final Appender appender;
    private final ByteRun memory;
    private final long expectedEnd;
    private final Outcome outcome;
    private final BooleanSupplier unwanted;
    private boolean settled;

    /**
     * Prepares an append.
     *
     * @param memory what the buffers lie in; released when the store is done
     * @param expectedEnd where the file ends afterwards
     * @param unwanted whether nobody wants to hear of an outcome any more
     */
    AppendFlight(Appender appender, ByteRun memory, long expectedEnd, Outcome outcome, BooleanSupplier unwanted) {
        this.appender = appender;
        this.memory = memory;
        this.expectedEnd = expectedEnd;
        this.outcome = outcome;
        this.unwanted = unwanted;
    }

    /**
     * Appends.
     *
     * @param whenProven told the time at which a successful append began
     */
    void start(List<ByteBuffer> buffers, Loop loop, Clock clock, long timeoutMs, LongConsumer whenProven) {
        long from = clock.nanos();
        CompletableFuture<AppendOutcome> future = append(buffers);
        if (future.isDone()) {
            answered(valueOf(future), from, whenProven);
            return;
        }
        Loop.Cancellable timer = loop.schedule(() -> settle(null, "no answer in " + timeoutMs + " ms"), timeoutMs);
        var unused = future.whenComplete((value, failure) -> loop.execute(() -> {
            timer.cancel();
            answered(valueOf(future), from, whenProven);
        }));
    }

    private CompletableFuture<AppendOutcome> append(List<ByteBuffer> buffers) {
        try {
            return appender.append(buffers);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answered(@Nullable AppendOutcome answer, long from, LongConsumer whenProven) {
        memory.release();
        if (!settled && answer instanceof AppendOutcome.Durable) {
            whenProven.accept(from);
        }
        boolean late = settled;
        settle(answer, "the store threw");
        if (late || !(answer instanceof AppendOutcome.Durable)) {
            var unused = appender.close();
        }
    }

    private void settle(@Nullable AppendOutcome answer, String otherwise) {
        if (settled) {
            return;
        }
        settled = true;
        if (unwanted.getAsBoolean()) {
            return;
        }
        if (answer instanceof AppendOutcome.Durable durable && durable.endPosition() == expectedEnd) {
            outcome.durable();
        } else if (answer instanceof AppendOutcome.Durable durable) {
            outcome.failed("it ends at " + durable.endPosition() + " instead of " + expectedEnd);
        } else if (answer instanceof AppendOutcome.Fenced) {
            outcome.fenced();
        } else if (answer instanceof AppendOutcome.Failed failed) {
            outcome.failed(String.valueOf(failed.cause().getMessage()));
        } else {
            outcome.failed(otherwise);
        }
    }

    private static @Nullable AppendOutcome valueOf(CompletableFuture<AppendOutcome> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            return null;
        }
    }
}
