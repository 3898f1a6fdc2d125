package io.forebay.model;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Ends of asynchronous chains: what happens when a future completes, with nobody waiting for what comes after. */
public final class When {

    private When() {}

    /**
     * Runs the action on the completing thread (at once if complete). An exception that the action throws is a bug and goes to
     * the thread's handler of uncaught exceptions.
     */
    public static <T> void done(
            CompletableFuture<T> future, BiConsumer<? super T, ? super @Nullable Throwable> action) {
        var unused = future.whenComplete((result, failure) -> guarded(action, result, failure));
    }

    /** Runs the action on the given executor. */
    public static <T> void doneOn(
            Executor executor, CompletableFuture<T> future, BiConsumer<? super T, ? super @Nullable Throwable> action) {
        var unused = future.whenCompleteAsync((result, failure) -> guarded(action, result, failure), executor);
    }

    private static <T> void guarded(
            BiConsumer<? super T, ? super @Nullable Throwable> action, T result, @Nullable Throwable failure) {
        try {
            action.accept(result, failure);
        } catch (RuntimeException | Error bug) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, bug);
        }
    }
}
