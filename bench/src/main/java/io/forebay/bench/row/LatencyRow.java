package io.forebay.bench.row;

import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import io.forebay.bench.machine.SyncCost;
import io.forebay.bench.report.Judge;
import io.forebay.bench.report.Metrics;
import io.forebay.bench.report.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Acknowledge latency at a fixed rate, in alternate slices: all servers run, one is loaded, then the next. The slices
 * of one round make a pair with Kafka's. A slice is quiet when other processes used less than a tenth of the machine;
 * while too few pairs are quiet, some more are tried.
 */
final class LatencyRow implements Row {
    private static final double QUIET_SHARE = 0.10;
    private static final int PARTITIONS = 16;
    private static final int RECORD_BYTES = 1 << 10;
    private static final int SMALLEST_WRITE_BYTES = 4 << 10;
    private static final double EXTRA_PAIRS = 1.5;

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public void run(Bench bench) {
        try (Sites sites = bench.sites("latency")) {
            sites.all().forEach(Site::start);
            TopicSet topics = TopicSet.ofPartitions("latency", PARTITIONS);
            for (Site site : sites.all()) {
                StreamRow.warmUp(bench, site);
                bench.prepare(site, topics);
            }
            for (int rate : Metrics.LATENCY_RATES) {
                for (int linger : Metrics.LATENCY_LINGERS) {
                    sync(bench, rate, linger);
                    pairs(bench, sites, topics, rate, linger);
                }
            }
        }
    }

    private static void pairs(Bench bench, Sites sites, TopicSet topics, int rate, int linger) {
        int pairs = bench.plan().pairs();
        int quietPairs = 0;
        for (int pair = 0; pair < pairs * EXTRA_PAIRS; pair++) {
            if (pair >= pairs && (quietPairs == 0 || quietPairs >= Judge.QUIET_PAIRS)) {
                return;
            }
            boolean quiet = true;
            for (Site site : sites.turn(pair)) {
                quiet &= slice(bench, site, topics, rate, linger, pair);
            }
            quietPairs += quiet ? 1 : 0;
        }
    }

    /** Returns whether the slice was quiet. */
    private static boolean slice(Bench bench, Site site, TopicSet topics, int rate, int linger, int pair) {
        boolean last = pair == bench.plan().pairs() - 1;
        Line load = Loads.paced(topics, rate, bench.plan().sliceSeconds(), linger);
        Line answer = bench.measure(site, load, "latency-" + rate + "-" + linger, last);
        double share = answer.decimal("other")
                / (answer.decimal("wall") * Runtime.getRuntime().availableProcessors());
        boolean quiet = share < QUIET_SHARE;
        for (String percentile : new String[] {"p50", "p99", "p999"}) {
            String metric = Metrics.latency(rate, linger, percentile);
            bench.samples().add(new Sample(metric, site.id(), pair, answer.decimal(percentile), quiet));
        }
        bench.samples()
                .add(new Sample(
                        Metrics.latency(rate, linger, "cpu"),
                        site.id(),
                        pair,
                        answer.decimal("server") / answer.decimal("wall"),
                        quiet));
        bench.say(
                "%-7s %d/s linger %d: p50 %.2f p99 %.2f ms, server %.2f s, client %.2f s, others %.0f %% of the machine"
                        .formatted(
                                site.id(),
                                rate,
                                linger,
                                answer.decimal("p50"),
                                answer.decimal("p99"),
                                answer.decimal("server"),
                                answer.decimal("client"),
                                share * 100));
        return quiet;
    }

    /** Measures the disk at about the pace at which this load's requests come, with what one of them brings. */
    private static void sync(Bench bench, int rate, int linger) {
        int pauseMs = linger > 0 ? linger : 1_000 / rate;
        try {
            int writeBytes = Math.max(SMALLEST_WRITE_BYTES, rate * pauseMs / 1_000 * RECORD_BYTES);
            SyncCost cost = SyncCost.measure(bench.work(), pauseMs, writeBytes);
            bench.samples()
                    .add(Metrics.syncBeside(Metrics.latency(rate, linger, "p50")), Metrics.DISK, 0, cost.p50Ms());
            bench.samples()
                    .add(Metrics.syncBeside(Metrics.latency(rate, linger, "p99")), Metrics.DISK, 0, cost.p99Ms());
            bench.say("raw fdatasync of %d bytes, %d ms between two: p50 %.3f p99 %.3f ms"
                    .formatted(writeBytes, pauseMs, cost.p50Ms(), cost.p99Ms()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
