package io.forebay.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void spacesSlowLoadsEvenly() {
        Pace pace = new Pace(1_000, 10_000);

        assertThat(pace.due(0)).isEqualTo(1_000);
        assertThat(pace.due(7)).isEqualTo(701_000);
    }

    @Test
    void sendsFastLoadsOnceAMillisecond() {
        Pace pace = new Pace(0, 40_960);

        assertThat(pace.due(40)).isZero();
        assertThat(pace.due(41)).isEqualTo(1_000_000);
        assertThat(pace.due(40_960)).isEqualTo(1_000_000_000);
    }
}
