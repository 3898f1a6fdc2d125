package io.forebay.kafka.fake;

import io.forebay.model.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when told. */
public final class HandClock implements Clock {

    private final AtomicLong nowMs = new AtomicLong(1_000_000);

    public void advance(long ms) {
        nowMs.addAndGet(ms);
    }

    @Override
    public long wallMs() {
        return nowMs.get();
    }

    @Override
    public long nanos() {
        return nowMs.get() * 1_000_000;
    }
}
