package io.forebay.log.journal;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Lets a few scans of files run at a time, since each needs a window of memory; the others wait in order. Thread-safe. */
final class ScanGate {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free;

    ScanGate(int atOnce) {
        free = atOnce;
    }

    /** Starts the work when a place is free; on this thread, or on the one that ends the work before. */
    <T> CompletableFuture<T> pass(Supplier<CompletableFuture<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable start = () -> {
            var unused = started(work).whenComplete((value, thrown) -> {
                leave();
                if (thrown == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(thrown);
                }
            });
        };
        synchronized (this) {
            if (free == 0) {
                waiting.add(start);
                return result;
            }
            free--;
        }
        start.run();
        return result;
    }

    private static <T> CompletableFuture<T> started(Supplier<CompletableFuture<T>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void leave() {
        Runnable next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                free++;
                return;
            }
        }
        next.run();
    }
}
