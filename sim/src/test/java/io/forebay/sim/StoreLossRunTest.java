package io.forebay.sim;

import io.forebay.testkit.SeededTest;

/** A node without the store loses its shards and its term to those that have it; an outage for all moves nothing. */
final class StoreLossRunTest {

    @SeededTest(fixed = 6, fresh = 1)
    void whoHasTheStoreTakesOver(long seed) {
        boolean unused = StoreLossRun.run(seed);
    }
}
