package io.forebay.model;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Repeats a step that failed, as long as a policy says so, with pauses between. */
public final class Retry {

    /** Returned by a {@link Policy} that has had enough. */
    public static final long GIVE_UP = -1;

    private Retry() {}

    /** Decides what follows a failure. Called on the loop. */
    public interface Policy {

        /**
         * How long to wait before the next attempt, or {@link #GIVE_UP}.
         *
         * @param cause why the attempt failed, without the wrapping that futures add
         * @param failures attempts that failed so far, from 1
         */
        long pauseMs(Throwable cause, int failures);
    }

    /** Runs the step until it succeeds or the policy gives up; completes on the loop, a failure without wrapping. */
    public static <T> CompletableFuture<T> on(Loop loop, Supplier<CompletableFuture<T>> step, Policy policy) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(loop, step, policy, 1, result);
        return result;
    }

    private static <T> void attempt(
            Loop loop, Supplier<CompletableFuture<T>> step, Policy policy, int number, CompletableFuture<T> result) {
        CompletableFuture<T> started;
        try {
            started = step.get();
        } catch (RuntimeException e) {
            started = CompletableFuture.failedFuture(e);
        }
        var unused = started.whenCompleteAsync(
                (value, thrown) -> {
                    if (thrown == null) {
                        result.complete(value);
                        return;
                    }
                    Throwable cause = unwrap(thrown);
                    long pauseMs = policy.pauseMs(cause, number);
                    if (pauseMs < 0) {
                        result.completeExceptionally(cause);
                    } else if (pauseMs == 0) {
                        attempt(loop, step, policy, number + 1, result);
                    } else {
                        var unusedTimer = loop.schedule(() -> attempt(loop, step, policy, number + 1, result), pauseMs);
                    }
                },
                loop);
    }

    /** Pauses that double from {@code firstMs} up to {@code longestMs}. */
    public static long doubling(int failures, long firstMs, long longestMs) {
        return Math.min(longestMs, firstMs << Math.min(failures - 1, 20));
    }

    /** The cause inside the exceptions that futures wrap it with. */
    public static Throwable unwrap(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
