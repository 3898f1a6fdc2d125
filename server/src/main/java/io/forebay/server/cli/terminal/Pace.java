package io.forebay.server.cli.terminal;

import io.forebay.model.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A fixed number of turns a second. A turn that comes late does not move the later ones: they are caught up without
 * waiting, and a latency measured from {@link #intendedNanos} contains the delay.
 */
public final class Pace {
    private static final long COARSE_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(60);

    private final Clock clock;
    private final double nanosPerTurn;
    private final long startNanos;

    /**
     * @param perSecond turns a second; 0 means as fast as possible: each turn is intended for the moment it is asked for
     */
    public Pace(Clock clock, double perSecond) {
        this.clock = clock;
        this.nanosPerTurn = perSecond <= 0 ? 0 : 1e9 / perSecond;
        this.startNanos = clock.nanos();
    }

    /** When turn {@code index} (from 0) is meant to be. */
    public long intendedNanos(long index) {
        return nanosPerTurn == 0 ? clock.nanos() : startNanos + (long) (index * nanosPerTurn);
    }

    /** Waits until the moment has come; returns at once if it is over, or if the thread is interrupted. */
    public void await(long intendedNanos) {
        if (nanosPerTurn == 0) {
            return;
        }
        long left = intendedNanos - clock.nanos();
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            if (left > COARSE_WAIT_NANOS) {
                LockSupport.parkNanos(left - COARSE_WAIT_NANOS);
            } else {
                Thread.onSpinWait();
            }
            left = intendedNanos - clock.nanos();
        }
    }
}
