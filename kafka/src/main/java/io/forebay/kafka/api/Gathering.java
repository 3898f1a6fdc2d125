package io.forebay.kafka.api;

import io.forebay.model.When;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** Puts the answer to a request together from parts that come at different times. */
public final class Gathering {

    private Gathering() {}

    /**
     * Waits for all parts.
     *
     * @param ifFailed stands in for a part that failed
     * @param whenAll gets the parts in order, once, on the thread that completes the last one
     */
    public static <T> void of(
            List<CompletableFuture<T>> parts, Function<Throwable, T> ifFailed, Consumer<List<T>> whenAll) {
        if (parts.isEmpty()) {
            whenAll.accept(List.of());
            return;
        }
        AtomicInteger left = new AtomicInteger(parts.size());
        for (CompletableFuture<T> part : parts) {
            When.done(part, (result, failure) -> {
                if (left.decrementAndGet() == 0) {
                    whenAll.accept(results(parts, ifFailed));
                }
            });
        }
    }

    private static <T> List<T> results(List<CompletableFuture<T>> parts, Function<Throwable, T> ifFailed) {
        return parts.stream()
                .map(part -> part.isCompletedExceptionally() ? ifFailed.apply(failureOf(part)) : part.join())
                .toList();
    }

    private static Throwable failureOf(CompletableFuture<?> part) {
        try {
            Object unused = part.join();
            throw new IllegalStateException("a failed part has a result");
        } catch (RuntimeException failure) {
            return ErrorTable.cause(failure);
        }
    }
}
