package io.forebay.testkit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Passes the result of one future to another, with the exception itself where there is one, not wrapped. */
final class Relay {

    private Relay() {}

    /** When {@code from} completes, {@code on} is asked to complete {@code to}; it may do that later or never. */
    static <A, B> void pass(
            CompletableFuture<A> from, CompletableFuture<B> to, Executor on, Function<? super A, ? extends B> map) {
        var unused = from.whenComplete((value, failure) -> on.execute(() -> {
            if (failure != null) {
                to.completeExceptionally(failure);
            } else {
                to.complete(map.apply(value));
            }
        }));
    }

    /** A new future that {@link #pass} completes. */
    static <A, B> CompletableFuture<B> to(
            CompletableFuture<A> from, Executor on, Function<? super A, ? extends B> map) {
        CompletableFuture<B> to = new CompletableFuture<>();
        pass(from, to, on, map);
        return to;
    }
}
