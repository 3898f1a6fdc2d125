package io.forebay.testkit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Bytes given to the store, as they were when they were given. Fails the run if the caller's buffers change too early. */
final class WatchedBytes {

    private final List<ByteBuffer> views;
    private final byte[] copy;

    WatchedBytes(List<ByteBuffer> buffers) {
        this.views = buffers.stream().map(ByteBuffer::duplicate).toList();
        this.copy = now();
    }

    byte[] copy() {
        return copy;
    }

    /** Looks at the buffers again when the request is answered. */
    <T> CompletableFuture<T> watch(Simulation simulation, CompletableFuture<T> answer) {
        Executor looking = completion -> {
            if (!Arrays.equals(copy, now())) {
                simulation.fail(new AssertionError("a buffer changed before the store answered"));
            }
            completion.run();
        };
        return Relay.to(answer, looking, Function.identity());
    }

    private byte[] now() {
        int size = views.stream().mapToInt(ByteBuffer::remaining).sum();
        ByteBuffer all = ByteBuffer.allocate(size);
        views.forEach(view -> all.put(view.duplicate()));
        return all.array();
    }
}
