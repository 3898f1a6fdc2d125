package io.forebay.store.local;

import io.forebay.model.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** Time that moves only when told. */
final class HandClock implements Clock {

    private final AtomicLong nanos = new AtomicLong(1);

    @Override
    public long wallMs() {
        return 1_700_000_000_000L + nanos.get() / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    void pass(long ms) {
        nanos.addAndGet(ms * 1_000_000);
    }
}
