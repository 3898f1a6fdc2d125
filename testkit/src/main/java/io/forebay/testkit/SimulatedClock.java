package io.forebay.testkit;

import io.forebay.model.Clock;

/** The time of a {@link Simulation}. The wall clock can be made to jump; the monotonic one cannot. */
public final class SimulatedClock implements Clock {

    private final Simulation simulation;
    private long wallOffsetMs;

    SimulatedClock(Simulation simulation) {
        this.simulation = simulation;
    }

    @Override
    public long wallMs() {
        return simulation.startWallMs() + simulation.nowNanos() / 1_000_000L + wallOffsetMs;
    }

    @Override
    public long nanos() {
        return simulation.nowNanos();
    }

    /** Moves the wall clock, in either direction. */
    public void jumpWall(long ms) {
        wallOffsetMs += ms;
    }
}
