package io.forebay.server.cli;

import io.forebay.server.config.HostPort;
import java.util.Optional;

/** A node that serves. All methods may be called from any thread. */
public interface RunningNode {

    /** Where it listens, with the port that is really in use. */
    HostPort listening();

    /** Ends it in order and returns when it has ended. Calling it again, or at once from two threads, does no harm. */
    void stop();

    /**
     * Waits until the node has ended, by {@link #stop} or by itself.
     *
     * @return empty after a stop; otherwise the reason why it could not go on, one sentence for the user
     */
    Optional<String> awaitEnd() throws InterruptedException;
}
