package io.forebay.store.hdfs;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A loop on a real thread, for a back end that really waits. */
final class TestLoop implements Loop, AutoCloseable {

    static final Clock CLOCK = new Clock() {
        @Override
        public long wallMs() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    private volatile long threadId;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "timers");
        threadId = thread.getId();
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public boolean inLoop() {
        return Thread.currentThread().getId() == threadId;
    }

    @Override
    public void execute(Runnable task) {
        if (!executor.isShutdown()) {
            executor.execute(task);
        }
    }

    @Override
    public Cancellable schedule(Runnable task, long delayMs) {
        if (executor.isShutdown()) {
            return () -> {};
        }
        Future<?> scheduled = executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        return () -> {
            boolean unused = scheduled.cancel(false);
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
