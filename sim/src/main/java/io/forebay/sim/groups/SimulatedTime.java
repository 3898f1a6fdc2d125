package io.forebay.sim.groups;

import io.forebay.model.Clock;
import org.apache.kafka.common.utils.Time;

/** A process's clock as Kafka's. */
final class SimulatedTime implements Time {

    private final Clock clock;

    SimulatedTime(Clock clock) {
        this.clock = clock;
    }

    @Override
    public long milliseconds() {
        return clock.wallMs();
    }

    @Override
    public long nanoseconds() {
        return clock.nanos();
    }

    @Override
    public void sleep(long ms) {
        throw new UnsupportedOperationException("nobody sleeps on a loop");
    }
}
