package io.forebay.store.s3;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.StorePorts;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Real threads and time: what is tested here waits for sockets. */
final class TestPorts implements AutoCloseable {

    private final ExecutorService io = Executors.newFixedThreadPool(4);
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    final StorePorts ports;

    TestPorts(long seed) {
        this.ports = new StorePorts(io, new TimerLoop(timers), new SystemClock(), new SplittableRandom(seed));
        // Where the SDK's default chain looks first.
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test-secret");
    }

    @Override
    public void close() {
        io.shutdown();
        timers.shutdownNow();
    }

    private record TimerLoop(ScheduledExecutorService executor) implements Loop {
        @Override
        public boolean inLoop() {
            return false;
        }

        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public Cancellable schedule(Runnable task, long delayMs) {
            Future<?> timer = executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
            return () -> timer.cancel(false);
        }
    }

    private static final class SystemClock implements Clock {
        @Override
        public long wallMs() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    }
}
