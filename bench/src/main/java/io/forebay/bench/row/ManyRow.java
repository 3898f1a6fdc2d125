package io.forebay.bench.row;

import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import io.forebay.bench.report.Metrics;
import io.forebay.bench.report.Samples;
import java.util.ArrayList;
import java.util.List;

/**
 * The same records spread over 64 and over 2,048 partitions, each record to the next partition. What the client spends
 * in both cases, and how busy its threads are, shows whether the client is what limits the rate. The topics stay from
 * round to round.
 */
final class ManyRow implements Row {
    private static final double PERCENT = 100;

    @Override
    public String name() {
        return "many";
    }

    @Override
    public void run(Bench bench) {
        Plan plan = bench.plan();
        List<TopicSet> sets = new ArrayList<>();
        for (int partitions : Metrics.LIFE_PARTITIONS) {
            sets.add(TopicSet.ofPartitions("many-" + partitions, partitions));
        }
        try (Sites sites = bench.sites("many")) {
            sites.all().forEach(Site::start);
            for (Site site : sites.all()) {
                for (TopicSet topics : sets) {
                    bench.say("%-7s warming up on %d partitions".formatted(site.id(), topics.total()));
                    bench.prepare(site, topics);
                    Line load = Loads.spread(topics, Math.min(plan.warmRecords(), plan.manyRecords()));
                    bench.load(site, load);
                }
            }
            for (int round = 0; round < plan.rounds(); round++) {
                for (TopicSet topics : sets) {
                    for (Site site : sites.turn(round)) {
                        load(bench, site, topics, round);
                    }
                }
            }
        }
    }

    private static void load(Bench bench, Site site, TopicSet topics, int round) {
        String name = "many." + topics.total();
        boolean last = round == bench.plan().rounds() - 1;
        Line answer = bench.measure(site, Loads.spread(topics, bench.plan().manyRecords()), name, last);
        double wall = answer.decimal("wall");
        double used = answer.decimal("server") + answer.decimal("client") + answer.decimal("other");
        int cpus = Runtime.getRuntime().availableProcessors();

        Samples samples = bench.samples();
        samples.add(name + ".cpu", site.id(), round, StreamRow.cpuPerGib(answer, "settled"));
        samples.add(name + ".rate", site.id(), round, StreamRow.rate(answer));
        samples.add(name + ".client", site.id(), round, StreamRow.cpuPerGib(answer, "client"));
        // The client has two busy threads: one that makes and spreads records, one that sends them.
        double busiest = Math.max(answer.decimal("sender"), answer.decimal("maker"));
        samples.add(name + ".thread", site.id(), round, PERCENT * busiest / wall);
        samples.add(name + ".idle", site.id(), round, PERCENT * Math.max(0, 1 - used / (wall * cpus)));
        bench.say("%-7s %4d partitions: %s, busiest client thread %.0f %%"
                .formatted(site.id(), topics.total(), StreamRow.words(answer), PERCENT * busiest / wall));
    }
}
