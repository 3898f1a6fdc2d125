package io.forebay.server.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testkit.Simulation;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final Simulation simulation = new Simulation(1);

    @Test
    void turnsKeepTheirTimeWhateverTheClockShows() {
        Pace pace = new Pace(simulation.clock(), 1_000);
        long start = pace.intendedNanos(0);

        assertThat(pace.intendedNanos(1) - start).isEqualTo(1_000_000);
        assertThat(pace.intendedNanos(5_000) - start).isEqualTo(5_000_000_000L);
    }

    @Test
    void withoutARateEachTurnIsNow() {
        Pace pace = new Pace(simulation.clock(), 0);

        assertThat(pace.intendedNanos(1_000)).isEqualTo(simulation.clock().nanos());
    }
}
