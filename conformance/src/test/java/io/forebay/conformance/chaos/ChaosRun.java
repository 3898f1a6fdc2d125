package io.forebay.conformance.chaos;

import io.forebay.conformance.cluster.ForebayCluster;
import io.forebay.conformance.stores.StoreUnderTest;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One run: a cluster over a fresh store, load on it, faults for a while, and then the check of everything.
 *
 * @param store {@code folder}, {@code hdfs} or {@code s3}
 * @param seed decides which faults come in which order
 * @param time how long things break; start, check and end come on top
 */
record ChaosRun(String store, int nodes, Duration time, long seed) {

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
        return run(out, Deeds::all);
    }

    /** Which deeds are done. */
    @FunctionalInterface
    interface Choice {
        List<Deed> from(Deeds deeds);
    }

    ChaosReport run(PrintStream out, Choice choice) throws InterruptedException {
        String name = "chaos-" + store + "-" + nodes;
        Findings findings = new Findings();
        try (StoreUnderTest under = StoreUnderTest.of(store, name)) {
            under.start();
            try (ForebayCluster cluster = new ForebayCluster(name, nodes, under, SMALL)) {
                cluster.startAll();
                out.println("store " + under.uri() + ", nodes " + cluster.bootstrap() + ", seed " + seed);
                try (Load load = new Load(cluster, findings)) {
                    return run(cluster, load, choice.from(new Deeds(cluster, under, load)), findings, out);
                }
            } catch (AssertionError failed) {
                throw new AssertionError(failed.getMessage() + "\n" + under.logTail(), failed);
            }
        }
    }

    private ChaosReport run(ForebayCluster cluster, Load load, List<Deed> deeds, Findings findings, PrintStream out)
            throws InterruptedException {
        load.start();
        if (load.awaitAcknowledgements(Duration.ofMinutes(1).toMillis()) < 0) {
            throw new AssertionError("nothing is acknowledged before anything was broken\n" + cluster.logTail());
        }
        Nemesis nemesis = new Nemesis(cluster, load, deeds, findings, seed, out);
        nemesis.run(time);
        load.finish();
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
