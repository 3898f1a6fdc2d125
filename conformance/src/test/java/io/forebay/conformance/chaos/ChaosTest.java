package io.forebay.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The short form of {@code bin/chaos}: some faults on each store, and on a cluster. All of it takes two minutes at most on a quiet machine. */
class ChaosTest {

    @BeforeEach
    void needsForebay() {
        Assumptions.assumeTrue(Settings.foreignBootstrap().isEmpty(), "needs to own the server processes");
    }

    private static void assertNothingLost(String store, int nodes, int seconds, long seed) throws InterruptedException {
        ChaosReport report = new ChaosRun(store, nodes, Duration.ofSeconds(seconds), seed, false).run(System.out);

        report.assertNothingFound();
        assertThat(report.acknowledged()).isGreaterThan(1_000);
        assertThat(report.deeds()).isPositive();
    }

    @Test
    void folder() throws InterruptedException {
        assertNothingLost("folder", 1, 10, 1);
    }

    @Test
    void folderWithThreeNodes() throws InterruptedException {
        assertNothingLost("folder", 3, 25, 1);
    }

    @Test
    void hdfs() throws InterruptedException {
        assertNothingLost("hdfs", 1, 20, 1);
    }

    @Test
    void s3() throws InterruptedException {
        assertNothingLost("s3", 1, 20, 1);
    }
}
