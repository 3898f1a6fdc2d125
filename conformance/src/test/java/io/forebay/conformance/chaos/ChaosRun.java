package io.forebay.conformance.chaos;

import io.forebay.conformance.cluster.ForebayCluster;
import io.forebay.conformance.stores.StoreUnderTest;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;

/**
 * One run: a cluster over a fresh store, load on it, faults for a while, and then the check of everything.
 *
 * @param store {@code folder}, {@code hdfs} or {@code s3}
 * @param seed decides which faults come in which order
 * @param time how long things break; start, check and end come on top
 * @param leaks whether to look, for up to three minutes, if everything goes that nobody needs any more
 */
record ChaosRun(String store, int nodes, Duration time, long seed, boolean leaks) {

    /** Small, so that files are closed, segments flushed and merged, and data read cold within minutes. */
    private static final Map<String, String> SMALL = Map.of(
            "journal.file.bytes", "4MiB",
            "journal.unretired.bytes", "16MiB",
            "shard.flush.bytes", "256KiB",
            "cache.tail.bytes", "16MiB",
            "cache.cold.bytes", "8MiB",
            "shard.count.user", "16",
            "shard.count.internal", "4",
            "offsets.topic.num.partitions", "4");

    /** Runs and says what it does on {@code out}. */
    ChaosReport run(PrintStream out) throws InterruptedException {
        String name = "chaos-" + store + "-" + nodes;
        Findings findings = new Findings();
        try (StoreUnderTest under = StoreUnderTest.of(store, name)) {
            under.start();
            try (ForebayCluster cluster = new ForebayCluster(name, nodes, under, SMALL)) {
                cluster.startAll();
                out.println("store " + under.uri() + ", nodes " + cluster.bootstrap() + ", seed " + seed);
                try (Load load = new Load(cluster, findings)) {
                    Nemesis nemesis =
                            new Nemesis(cluster, load, new Deeds(cluster, under, load).all(), findings, seed, out);
                    breakThings(cluster, load, nemesis);
                    if (leaks) {
                        LeakCheck.run(cluster, under, findings, out);
                    }
                    return report(cluster, load, nemesis, findings, out);
                }
            } catch (AssertionError failed) {
                throw new AssertionError(failed.getMessage() + "\n" + under.logTail(), failed);
            }
        }
    }

    private void breakThings(ForebayCluster cluster, Load load, Nemesis nemesis) throws InterruptedException {
        load.start();
        if (load.awaitAcknowledgements(Duration.ofMinutes(1).toMillis()) < 0) {
            throw new AssertionError("nothing is acknowledged before anything was broken\n" + cluster.logTail());
        }
        nemesis.run(time);
        load.finish();
    }

    private ChaosReport report(ForebayCluster cluster, Load load, Nemesis nemesis, Findings findings, PrintStream out) {
        ChaosReport report = new ChaosReport(
                this,
                nemesis.count(),
                load.acknowledged(),
                load.waits().longestMs(),
                cluster.refusedStarts(),
                findings,
                findings.isEmpty() ? "" : cluster.logTail());
        out.println(report.summary());
        return report;
    }
}
