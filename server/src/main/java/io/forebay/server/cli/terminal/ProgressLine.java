package io.forebay.server.cli.terminal;

import io.forebay.model.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One line on standard error that is drawn over and over while somebody looks. Use on one thread. */
public final class ProgressLine {
    private static final String ERASE_TO_END = "\u001b[K";

    private final Console console;
    private final Clock clock;
    private final long intervalNanos;
    private long nextNanos;
    private boolean drawn;

    public ProgressLine(Console console, Clock clock, long intervalMs) {
        this.console = console;
        this.clock = clock;
        this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMs);
        this.nextNanos = clock.nanos() + intervalNanos;
    }

    /** Draws the line if it is time to. */
    public void tick(Supplier<String> line) {
        if (console.progress() && clock.nanos() - nextNanos >= 0) {
            nextNanos = clock.nanos() + intervalNanos;
            console.err().print("\r" + line.get() + ERASE_TO_END);
            console.err().flush();
            drawn = true;
        }
    }

    /** Takes the line away. */
    public void clear() {
        if (drawn) {
            console.err().print("\r" + ERASE_TO_END);
            console.err().flush();
            drawn = false;
        }
    }
}
