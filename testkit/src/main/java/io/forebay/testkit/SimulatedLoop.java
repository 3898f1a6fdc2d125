package io.forebay.testkit;

import io.forebay.model.Loop;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A {@link Loop} whose turns are steps of a {@link Simulation}: one task per turn, in the order of arrival; between two
 * of its turns other loops get theirs.
 */
public final class SimulatedLoop implements Loop {

    private final SimulatedProcess process;
    private final String name;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean turnAsked;
    private boolean running;

    SimulatedLoop(SimulatedProcess process, String name) {
        this.process = process;
        this.name = name;
    }

    @Override
    public boolean inLoop() {
        return running;
    }

    @Override
    public void execute(Runnable task) {
        if (!process.dead()) {
            waiting.add(task);
            wake();
        }
    }

    @Override
    public Cancellable schedule(Runnable task, long delayMs) {
        Timer timer = new Timer(task);
        process.simulation().after(Math.max(0, delayMs) * 1_000_000L, () -> execute(timer));
        return timer;
    }

    /** Tasks that wait for a turn; timers not counted. */
    public int waiting() {
        return waiting.size();
    }

    void wake() {
        if (!turnAsked && !waiting.isEmpty()) {
            turnAsked = true;
            process.simulation().after(0, this::turn);
        }
    }

    void drop() {
        waiting.clear();
    }

    private void turn() {
        turnAsked = false;
        if (!process.running()) {
            return;
        }
        Runnable task = waiting.poll();
        if (task == null) {
            return;
        }
        running = true;
        try {
            task.run();
        } finally {
            running = false;
            wake();
        }
    }

    @Override
    public String toString() {
        return process + "/" + name;
    }

    private static final class Timer implements Runnable, Cancellable {
        private final Runnable task;
        private boolean cancelled;

        Timer(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
