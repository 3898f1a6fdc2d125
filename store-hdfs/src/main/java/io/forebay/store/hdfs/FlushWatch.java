package io.forebay.store.hdfs;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that waits for a flush, once that has taken too long: the Hadoop client has no shorter time-out of its own, and
 * whoever waits is the journal's loop. Looks a few times within each limit, so that a flush itself costs no timer.
 *
 * <p>{@link #begin} and {@link #end} belong to the thread that flushes; the look runs on the timers' loop.
 */
final class FlushWatch {

    private static final int LOOKS = 4;

    private final Loop timers;
    private final Clock clock;
    private final long limitMs;
    private final Object lock = new Object();
    /** Guarded by {@link #lock}, like all below. */
    private @Nullable Thread waiting;

    private long sinceNanos;
    private boolean fired;
    private boolean stopped;

    FlushWatch(Loop timers, Clock clock, long limitMs) {
        this.timers = timers;
        this.clock = clock;
        this.limitMs = limitMs;
    }

    void start() {
        lookLater();
    }

    void stop() {
        synchronized (lock) {
            stopped = true;
        }
    }

    void begin() {
        synchronized (lock) {
            waiting = Thread.currentThread();
            sinceNanos = clock.nanos();
            fired = false;
        }
    }

    /** Ends the watch. No interrupt of ours is left behind. Returns whether the time was up. */
    boolean end() {
        synchronized (lock) {
            waiting = null;
            if (fired) {
                var unused = Thread.interrupted();
            }
            return fired;
        }
    }

    private void look() {
        synchronized (lock) {
            if (stopped) {
                return;
            }
            Thread late = waiting;
            if (late != null && clock.nanos() - sinceNanos > limitMs * 1_000_000) {
                // Again at each look: the client swallows some.
                fired = true;
                late.interrupt();
            }
        }
        lookLater();
    }

    private void lookLater() {
        var unused = timers.schedule(this::look, Math.max(1, limitMs / LOOKS));
    }
}
