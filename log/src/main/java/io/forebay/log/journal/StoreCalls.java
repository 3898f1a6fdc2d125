package io.forebay.log.journal;

import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls a store until it answers: repeats what failed because the store could not be reached, with pauses, within limits. Results
 * arrive on the loop.
 */
final class StoreCalls {

    private final Loop loop;
    private final FenceConfig config;

    StoreCalls(Loop loop, FenceConfig config) {
        this.loop = loop;
        this.config = config;
    }

    /** Repeats a call that is safe to repeat while it fails with UNAVAILABLE or FULL, or does not answer. */
    <T> CompletableFuture<T> repeat(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(call, 1, result);
        return result;
    }

    private <T> void attempt(Supplier<CompletableFuture<T>> call, int number, CompletableFuture<T> result) {
        var unused = once(call).whenComplete((value, failure) -> {
            StoreException cause = failure == null ? null : storeFailure(failure);
            boolean again = failure != null && passes(failure);
            if (failure == null) {
                result.complete(value);
            } else if (again && number < config.tries()) {
                pause(number, () -> attempt(call, number + 1, result));
            } else {
                result.completeExceptionally(cause == null ? failure : cause);
            }
        });
    }

    /** Calls once; no answer in time is UNAVAILABLE. */
    <T> CompletableFuture<T> once(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletableFuture<T> answer = call.get();
        Loop.Cancellable timer = answer.isDone()
                ? () -> {}
                : loop.schedule(
                        () -> result.completeExceptionally(new StoreException(
                                StoreException.Kind.UNAVAILABLE, "no answer in " + config.requestTimeoutMs() + " ms")),
                        config.requestTimeoutMs());
        var unused = answer.whenComplete((value, failure) -> loop.execute(() -> {
            timer.cancel();
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        }));
        return result;
    }

    /** Goes on after the pause that follows attempt {@code number}. */
    void pause(int number, Runnable next) {
        long pauseMs = Math.min(config.maxBackoffMs(), config.backoffMs() << Math.min(20, number - 1));
        var unused = loop.schedule(next, pauseMs);
    }

    /** The store's exception in what a future failed with, or null if it is something else. */
    static @Nullable StoreException storeFailure(Throwable failure) {
        return Retry.unwrap(failure) instanceof StoreException store ? store : null;
    }

    /** Whether the same call may succeed later: the store did not answer, or had no space, which some say of reads as well. */
    static boolean passes(Throwable failure) {
        StoreException cause = storeFailure(failure);
        return cause != null
                && (cause.kind() == StoreException.Kind.UNAVAILABLE || cause.kind() == StoreException.Kind.FULL);
    }

    static boolean isNotFound(@Nullable Throwable failure) {
        StoreException cause = failure == null ? null : storeFailure(failure);
        return cause != null && cause.kind() == StoreException.Kind.NOT_FOUND;
    }
}
