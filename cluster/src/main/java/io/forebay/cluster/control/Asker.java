package io.forebay.cluster.control;

import io.forebay.model.When;
import java.util.concurrent.CompletableFuture;

/**
 * Whoever asks over one connection, as long as that lasts. The system of a process that dies closes its connections, so this tells of a death before any
 * time-out does; a living one that lost its connection asks again over another. Thread-safe.
 */
public final class Asker {

    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    /** Its connection is closed. */
    public void hasGone() {
        gone.complete(null);
    }

    /** Runs something when the connection is closed, on the thread that notices, at once if it is. */
    public void whenGone(Runnable action) {
        When.done(gone, (nothing, failure) -> action.run());
    }
}
