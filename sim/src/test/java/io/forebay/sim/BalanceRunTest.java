package io.forebay.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.testkit.SeededTest;

/** Real traffic moves shards until loads are even, and none back and forth. */
final class BalanceRunTest {

    @SeededTest(fixed = 2, fresh = 1)
    void movesComeToAnEnd(long seed) {
        assertTrue(BalanceRun.run(seed) > 0, "one node has far more to do than the others");
    }
}
