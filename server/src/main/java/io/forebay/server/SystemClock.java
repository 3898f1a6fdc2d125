package io.forebay.server;

import io.forebay.model.Clock;

/** The machine's clocks. */
public final class SystemClock implements Clock {
    @Override
    public long wallMs() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}
