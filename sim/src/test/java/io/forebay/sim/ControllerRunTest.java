package io.forebay.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.testkit.SeededTest;

/** The death of the controller alone fails nothing that clients of other nodes do. */
final class ControllerRunTest {

    @SeededTest(fixed = 4, fresh = 1)
    void clientsOfOtherNodesNoticeNothing(long seed) {
        assertTrue(ControllerRun.run(seed) > 0, "some of those that died led");
    }
}
