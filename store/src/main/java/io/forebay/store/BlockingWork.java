package io.forebay.store;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs blocking work of one store on the executor given to it, and turns errors of input and output into those of a store. Thread-safe. After
 * {@link #close} no work begins.
 */
public abstract class BlockingWork {

    private final String place;
    private final Executor executor;
    private volatile boolean closed;

    /** @param place where the store is, for messages */
    protected BlockingWork(String place, Executor executor) {
        this.place = place;
        this.executor = executor;
    }

    /** Something that asks the store. */
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Something that asks the store and has no result. */
    public interface Step {
        void run() throws IOException;
    }

    /**
     * Runs it on the executor.
     *
     * @param failure what to say could not be done
     */
    public final <T> CompletableFuture<T> run(String failure, Work<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        submit(done, failure, () -> done.complete(work.run()));
        return done;
    }

    /** The same without a result. */
    public final CompletableFuture<Void> runStep(String failure, Step step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        submit(done, failure, () -> {
            step.run();
            done.complete(null);
        });
        return done;
    }

    public final void close() {
        closed = true;
    }

    public final boolean closed() {
        return closed;
    }

    /**
     * Refuses work after {@link #close}.
     *
     * @throws StoreException INVALID
     */
    public final void checkOpen() {
        if (closed) {
            throw new StoreException(StoreException.Kind.INVALID, "the store in " + place + " is closed");
        }
    }

    /** The failure as callers of the store get it. */
    public abstract StoreException translate(String action, IOException cause);

    /** Runs work, and what follows from its result, on the executor's thread: a back end may need something around it. */
    protected void around(Runnable work) {
        work.run();
    }

    /** Runs the step on the executor. The step completes the future, or fails. */
    private void submit(CompletableFuture<?> done, String failure, Step step) {
        try {
            executor.execute(() -> around(() -> {
                try {
                    checkOpen();
                    step.run();
                } catch (IOException failed) {
                    done.completeExceptionally(translate(failure, failed));
                } catch (Throwable thrown) {
                    done.completeExceptionally(thrown);
                }
            }));
        } catch (RejectedExecutionException ending) {
            done.completeExceptionally(new StoreException(StoreException.Kind.UNAVAILABLE, failure, ending));
        }
    }
}
