package io.forebay.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.testkit.SeededTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Twenty fixed seeds, those that found a bug, and some fresh ones; a failure prints the line that replays it. */
final class SeedsTest {

    private static final long CHAOS_MS = 30_000;

    @SeededTest(fixed = 20, fresh = 10)
    void everyPromiseIsKept(long seed) {
        SeedRun.Outcome outcome = SeedRun.run(seed, CHAOS_MS);

        if (seed % 10 == 1) {
            assertEquals(outcome, SeedRun.run(seed, CHAOS_MS), "the same seed gives the same run");
        }
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                73288974215561L, // a read that failed while a group coordinator loaded left it dead
                188548177747344L // the same
            })
    void whatASeedFoundStaysMended(long seed) {
        SeedRun.Outcome outcome = SeedRun.run(seed, CHAOS_MS);

        assertTrue(outcome.lives() > 1, "the run breaks things");
    }
}
