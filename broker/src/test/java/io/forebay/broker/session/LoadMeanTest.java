package io.forebay.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LoadMeanTest {

    private static final long MS = 1_000_000;
    private static final long STEP = 300 * MS;

    private long now = 5_000 * MS;
    private long total;
    private final LoadMean mean = new LoadMean(now);

    /** What it says after so many seconds of so much growth in each. */
    private long after(int seconds, long bytesPerSecond) {
        long said = 0;
        for (long elapsed = 0; elapsed < seconds * 1_000L * MS; elapsed += STEP) {
            now += STEP;
            total += bytesPerSecond * 3 / 10;
            said = mean.measure(total, now);
        }
        return said;
    }

    @Test
    void knowsAConstantLoadFromTheThirdSecondOn() {
        assertThat(after(3, 1_000_000)).isCloseTo(1_000_000, within(10_000L));
        assertThat(after(30, 1_000_000)).isCloseTo(1_000_000, within(10_000L));
    }

    @Test
    void followsAChangeWithinAMinuteOrTwo() {
        after(100, 1_000_000);

        assertThat(after(6, 3_000_000)).isLessThan(1_500_000);
        assertThat(after(120, 3_000_000)).isCloseTo(3_000_000, within(100_000L));
        assertThat(after(600, 0)).isZero();
    }

    @Test
    void isNotMisledByASingleBatchAtTheBeginning() {
        total = 1 << 20;
        now += 10 * MS;

        assertThat(mean.measure(total, now)).isLessThan(400 << 10);
        assertThat(mean.measure(total, now)).as("at the same moment").isLessThan(400 << 10);
    }
}
