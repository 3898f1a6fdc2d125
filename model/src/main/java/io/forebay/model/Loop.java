package io.forebay.model;

import java.util.concurrent.Executor;

/**
 * One thread that runs tasks in the order of their arrival and owns mutable state, so that the state needs no locks.
 *
 * <p>A state that says "owned by the shard loop" is read and written only by tasks of that loop. Tasks never block
 * (the journal loop is the one exception: writing and syncing is its work). {@link #execute} and {@link #schedule} may
 * be called from any thread.
 */
public interface Loop extends Executor {

    /** Whether the calling thread is this loop's. */
    boolean inLoop();

    /** Runs the task on this loop after at least {@code delayMs} milliseconds. */
    Cancellable schedule(Runnable task, long delayMs);

    /** Runs the task now if the caller is on this loop, else hands it over. */
    default void run(Runnable task) {
        if (inLoop()) {
            task.run();
        } else {
            execute(task);
        }
    }

    /** A scheduled task that may be called off. */
    interface Cancellable {
        /** Calls the task off; it does not run afterwards if called on its loop. Harmless when it already ran. */
        void cancel();
    }
}
