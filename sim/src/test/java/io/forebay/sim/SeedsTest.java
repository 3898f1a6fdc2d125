package io.forebay.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.forebay.testkit.SeededTest;

/** Twenty fixed seeds and some fresh ones; a failure prints the line that replays it. */
final class SeedsTest {

    private static final long CHAOS_MS = 30_000;

    @SeededTest(fixed = 20, fresh = 10)
    void everyPromiseIsKept(long seed) {
        SeedRun.Outcome outcome = SeedRun.run(seed, CHAOS_MS);

        if (seed % 10 == 1) {
            assertEquals(outcome, SeedRun.run(seed, CHAOS_MS), "the same seed gives the same run");
        }
    }
}
