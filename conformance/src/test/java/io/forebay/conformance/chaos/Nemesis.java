package io.forebay.conformance.chaos;

import io.forebay.conformance.cluster.ForebayCluster;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Does deeds in rounds until its time is over, each deed once a round in an order that the seed decides, and lets the cluster
 * recover after each: if it does not, that is a finding and the end. Used by one thread.
 */
final class Nemesis {

    private static final int LONGEST_REST_MS = 3_000;
    private static final long RECOVERY_LIMIT_MS = 60_000;

    private final ForebayCluster cluster;
    private final Load load;
    private final List<Deed> deeds;
    private final Findings findings;
    private final SplittableRandom chance;
    private final PrintStream out;
    private final long fromNanos = System.nanoTime();
    /** What is still to be done in this round. */
    private final List<Deed> round = new ArrayList<>();

    private int count;

    Nemesis(ForebayCluster cluster, Load load, List<Deed> deeds, Findings findings, long seed, PrintStream out) {
        this.cluster = cluster;
        this.load = load;
        this.deeds = List.copyOf(deeds);
        this.findings = findings;
        this.chance = new SplittableRandom(seed);
        this.out = out;
    }

    void run(Duration time) throws InterruptedException {
        while (System.nanoTime() - fromNanos < time.toNanos()) {
            Thread.sleep(chance.nextInt(LONGEST_REST_MS));
            long unused = load.waits().takeLongestLatelyMs();
            long from = System.nanoTime();
            say("…");
            String what = draw().run(chance.split());
            count++;
            long tookMs = (System.nanoTime() - from) / 1_000_000;
            long servedMs = load.awaitAcknowledgements(RECOVERY_LIMIT_MS);
            say(what + ": took " + tookMs + " ms, all partitions acknowledge " + servedMs
                    + " ms later, longest wait of a record " + load.waits().takeLongestLatelyMs() + " ms");
            for (int id : cluster.dead()) {
                findings.add(Findings.Kind.FAILED, "node " + id + " ended by itself after: " + what);
                cluster.start(id);
                cluster.awaitReady(id);
            }
            if (servedMs < 0) {
                findings.add(
                        Findings.Kind.FAILED,
                        "not every partition acknowledges " + RECOVERY_LIMIT_MS + " ms after: " + what);
                return;
            }
        }
    }

    private Deed draw() {
        if (round.isEmpty()) {
            round.addAll(deeds);
        }
        return round.remove(chance.nextInt(round.size()));
    }

    /** How many deeds were done. */
    int count() {
        return count;
    }

    private void say(String what) {
        long ms = (System.nanoTime() - fromNanos) / 1_000_000;
        out.printf("%4d.%03d %s%n", ms / 1_000, ms % 1_000, what);
    }
}
