package io.forebay.server.node;

import io.forebay.model.Loop;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop on a thread of its own. Tasks that fail are logged; the loop goes on. */
final class ThreadLoop implements Loop, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadLoop.class);
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    private final String name;
    private final ScheduledThreadPoolExecutor executor;
    private volatile Thread thread = Thread.currentThread();

    ThreadLoop(String name) {
        this.name = name;
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            thread = made;
            return made;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.prestartAllCoreThreads();
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(() -> runLogged(task));
        } catch (RejectedExecutionException ended) {
            LOG.debug("{} has ended, a task was dropped", name);
        }
    }

    @Override
    public Cancellable schedule(Runnable task, long delayMs) {
        try {
            Future<?> scheduled = executor.schedule(() -> runLogged(task), delayMs, TimeUnit.MILLISECONDS);
            return () -> {
                boolean unused = scheduled.cancel(false);
            };
        } catch (RejectedExecutionException ended) {
            return () -> {};
        }
    }

    private void runLogged(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error failure) {
            LOG.error("a task of {} failed", name, failure);
        }
    }

    /** Ends the thread after what it has to do; waits for it. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                LOG.warn("{} did not end within {} ms", name, CLOSE_TIMEOUT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "loop " + name;
    }
}
