package io.forebay.broker.admin;

import io.forebay.cluster.command.ReserveProducerIds;
import io.forebay.model.Loop;
import io.forebay.model.When;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Gives out producer ids from reserved blocks. Owned by the control loop. */
final class ProducerIdBlock {

    private static final int BLOCK = 1_000;

    private final Loop control;
    private final Function<ReserveProducerIds, CompletableFuture<Long>> reserve;
    private final Queue<CompletableFuture<Long>> waiting = new ArrayDeque<>();
    private long next;
    private long end;
    private boolean reserving;

    ProducerIdBlock(Loop control, Function<ReserveProducerIds, CompletableFuture<Long>> reserve) {
        this.control = control;
        this.reserve = reserve;
    }

    /** The next id. Any thread. */
    CompletableFuture<Long> next() {
        CompletableFuture<Long> id = new CompletableFuture<>();
        control.run(() -> {
            waiting.add(id);
            serve();
        });
        return id;
    }

    private void serve() {
        while (next < end && !waiting.isEmpty()) {
            waiting.remove().complete(next++);
        }
        if (waiting.isEmpty() || reserving) {
            return;
        }
        reserving = true;
        When.doneOn(control, reserve.apply(new ReserveProducerIds(BLOCK)), (first, failure) -> {
            reserving = false;
            if (failure != null) {
                while (!waiting.isEmpty()) {
                    waiting.remove().completeExceptionally(failure);
                }
                return;
            }
            next = first;
            end = first + BLOCK;
            serve();
        });
    }
}
