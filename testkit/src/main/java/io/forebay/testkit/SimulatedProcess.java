package io.forebay.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * One life of a simulated process: running → paused → running → … → dead.
 *
 * <p>A paused process runs no task, but time goes on: its timers fall due and wait. A dead one never runs anything
 * again and its waiting tasks are gone. What it had already sent to others is not called back.
 */
public final class SimulatedProcess {

    private enum State {
        RUNNING,
        PAUSED,
        DEAD
    }

    private final Simulation simulation;
    private final String name;
    private final SimulatedClock clock;
    private final List<SimulatedLoop> loops = new ArrayList<>();
    private final List<Runnable> whenKilled = new ArrayList<>();
    private State state = State.RUNNING;

    SimulatedProcess(Simulation simulation, String name) {
        this.simulation = simulation;
        this.name = name;
        this.clock = new SimulatedClock(simulation);
    }

    public String name() {
        return name;
    }

    public Simulation simulation() {
        return simulation;
    }

    /** This process's own clock. */
    public SimulatedClock clock() {
        return clock;
    }

    /** A new loop of this process. */
    public SimulatedLoop loop(String loopName) {
        SimulatedLoop loop = new SimulatedLoop(this, loopName);
        loops.add(loop);
        return loop;
    }

    public boolean running() {
        return state == State.RUNNING;
    }

    public boolean dead() {
        return state == State.DEAD;
    }

    /** Stops everything in this process until {@link #resume}: a long garbage collection, a stopped machine. */
    public void pause() {
        if (state == State.RUNNING) {
            state = State.PAUSED;
        }
    }

    public void resume() {
        if (state == State.PAUSED) {
            state = State.RUNNING;
            loops.forEach(SimulatedLoop::wake);
        }
    }

    /** Ends this life at once: kill -9. */
    public void kill() {
        if (state != State.DEAD) {
            state = State.DEAD;
            loops.forEach(SimulatedLoop::drop);
            List.copyOf(whenKilled).forEach(Runnable::run);
        }
    }

    /** Runs {@code action} within {@link #kill}, after the loops are gone. */
    public void whenKilled(Runnable action) {
        whenKilled.add(action);
    }

    @Override
    public String toString() {
        return name;
    }
}
