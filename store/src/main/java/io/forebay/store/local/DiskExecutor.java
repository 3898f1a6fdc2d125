package io.forebay.store.local;

import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs blocking work of one store on the executor given to it, and turns errors of the disk into those of a store.
 * Thread-safe. After {@link #close} no work begins.
 *
 * <p>An interrupt would close any {@link java.nio.channels.FileChannel} it meets, so it waits until the work is done.
 */
final class DiskExecutor {

    /** With less space than this left, a failed write is taken for a full disk whatever the error says. */
    private static final long NO_SPACE_BYTES = 1 << 20;

    private final Path root;
    private final Executor executor;
    private volatile boolean closed;

    DiskExecutor(Path root, Executor executor) {
        this.root = root;
        this.executor = executor;
    }

    /** Something that touches the disk. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Something that touches the disk and has no result. */
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
            throw new StoreException(StoreException.Kind.INVALID, "the store in " + root + " is closed");
        }
    }

    StoreException translate(String action, IOException cause) {
        StoreException.Kind kind = full(cause) ? StoreException.Kind.FULL : StoreException.Kind.UNAVAILABLE;
        return new StoreException(kind, action + ": " + DiskErrors.reason(cause), cause);
    }

    /** Whether work failed because there is no space left. Its text may be in any language, so the space counts too. */
    boolean full(IOException cause) {
        if (DiskErrors.saysFull(cause)) {
            return true;
        }
        try {
            return Files.getFileStore(root).getUsableSpace() < NO_SPACE_BYTES;
        } catch (IOException cannotTell) {
            return false;
        }
    }

    /** Runs the step on the executor. The step completes the future, or fails. */
    private void submit(CompletableFuture<?> done, String failure, Step step) {
        try {
            executor.execute(() -> {
                boolean interrupted = Thread.interrupted();
                try {
                    checkOpen();
                    step.run();
                } catch (IOException failed) {
                    done.completeExceptionally(translate(failure, failed));
                } catch (Throwable thrown) {
                    done.completeExceptionally(thrown);
                } finally {
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                }
            });
        } catch (RejectedExecutionException ending) {
            done.completeExceptionally(new StoreException(StoreException.Kind.UNAVAILABLE, failure, ending));
        }
    }
}
