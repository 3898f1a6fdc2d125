package io.forebay.store.hdfs;

import io.forebay.store.StoreException;
import io.forebay.store.StoreException.Kind;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs blocking work of one store on the executor given to it, and turns errors of HDFS into those of a store. Thread-safe. After
 * {@link #close} no work begins.
 */
final class HdfsWork {

    private final HdfsConfig config;
    private final Executor executor;
    private volatile boolean closed;

    HdfsWork(HdfsConfig config, Executor executor) {
        this.config = config;
        this.executor = executor;
    }

    /** Something that asks HDFS. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Something that asks HDFS and has no result. */
    interface Step {
        void run() throws IOException;
    }

    <T> CompletableFuture<T> run(String failure, Work<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        submit(done, failure, () -> done.complete(work.run()));
        return done;
    }

    CompletableFuture<Void> runStep(String failure, Step step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        submit(done, failure, () -> {
            step.run();
            done.complete(null);
        });
        return done;
    }

    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    void checkOpen() {
        if (closed) {
            throw new StoreException(Kind.INVALID, "the store in " + config.folder() + " is closed");
        }
    }

    StoreException translate(String action, IOException cause) {
        return HdfsErrors.translate(config, action, cause);
    }

    /** Runs the step on the executor. The step completes the future, or fails. */
    private void submit(CompletableFuture<?> done, String failure, Step step) {
        try {
            executor.execute(() -> {
                try {
                    checkOpen();
                    step.run();
                } catch (IOException failed) {
                    done.completeExceptionally(translate(failure, failed));
                } catch (Throwable thrown) {
                    done.completeExceptionally(thrown);
                }
            });
        } catch (RejectedExecutionException ending) {
            done.completeExceptionally(new StoreException(Kind.UNAVAILABLE, failure, ending));
        }
    }
}
