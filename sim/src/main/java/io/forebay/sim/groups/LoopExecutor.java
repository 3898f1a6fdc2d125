package io.forebay.sim.groups;

import io.forebay.model.Loop;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** What coordinators do in the background, on a loop. */
final class LoopExecutor extends AbstractExecutorService {

    private final Loop loop;

    LoopExecutor(Loop loop) {
        this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void shutdown() {
        // The loop ends with its process.
    }

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
