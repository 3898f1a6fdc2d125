package io.forebay.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * The moments at which a paced load is due: evenly spaced, whatever the server does. Owned by the sending thread.
 *
 * <p>Waiting parks the thread rather than spinning, because a spinning client would take a core from the server. The
 * kernel is asked for exact wake-ups; where it refuses they come some 50 µs late, for every target alike. Records that
 * follow each other faster than a thread can sensibly park are due together, once a millisecond.
 */
final class Pace {
    private static final double SHORTEST_PARK_NANOS = 50_000;
    private static final long TICK_NANOS = 1_000_000;

    private final long startNanos;
    private final double gapNanos;

    Pace(long startNanos, double perSecond) {
        this.startNanos = startNanos;
        this.gapNanos = 1e9 / perSecond;
        exactWakeUps();
    }

    /** When the record of this number is due. */
    long due(long number) {
        long after = (long) (number * gapNanos);
        return startNanos + (gapNanos >= SHORTEST_PARK_NANOS ? after : after / TICK_NANOS * TICK_NANOS);
    }

    /** Returns at once when the moment has come already. */
    void await(long due) {
        long left = due - System.nanoTime();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = due - System.nanoTime();
        }
    }

    private static void exactWakeUps() {
        try {
            // A link such as "1234/task/1250", whose last part is the calling thread.
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            Files.writeString(Path.of("/proc").resolve(thread).resolve("timerslack_ns"), "1");
        } catch (IOException e) {
            // Only exactness is lost, and equally for all.
            return;
        }
    }
}
