package io.forebay.bench.row;

import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import io.forebay.bench.machine.ProcFiles;
import io.forebay.bench.machine.ProcessTicks;
import io.forebay.bench.report.Metrics;
import io.forebay.bench.report.Samples;
import java.util.HashMap;
import java.util.Map;

/**
 * The life of a server, with few and with many partitions: created topics, data, a kill, an orderly end, a start on the
 * data, and rest. Servers are cold here, each round begins on empty folders, and one target lives at a time, but for
 * the rest at the end, which all take together.
 *
 * <p>Ready means that a stock client, begun together with the server, got one record acknowledged on the last partition
 * and read it back.
 */
final class LifeRow implements Row {
    private static final String FEW = ".64";
    private static final String MANY = ".2048";

    private final ProcFiles proc = new ProcFiles();

    @Override
    public String name() {
        return "start, recover, create, idle";
    }

    @Override
    public void run(Bench bench) {
        for (int round = 0; round < bench.plan().rounds(); round++) {
            Map<String, Double> figures = new HashMap<>();
            for (int partitions : Metrics.LIFE_PARTITIONS) {
                live(bench, round, partitions, figures);
            }
            compare(bench.samples(), round, figures);
        }
    }

    private void live(Bench bench, int round, int partitions, Map<String, Double> figures) {
        Plan plan = bench.plan();
        boolean reborn = plan.asks(RowName.START) || plan.asks(RowName.IDLE);
        TopicSet topics = TopicSet.ofPartitions("life", partitions);
        try (Sites sites = bench.sites("life")) {
            for (Site site : sites.turn(round)) {
                site.start();
                created(bench, site, topics, round);
                if (reborn || plan.asks(RowName.RECOVER)) {
                    bench.load(site, Loads.spread(topics, plan.fillRecords()));
                }
                if (plan.asks(RowName.RECOVER)) {
                    figures.put(site.id() + ".recover." + partitions, recovered(bench, site, topics, round));
                }
                site.stop();
            }
            if (!reborn) {
                return;
            }
            for (Site site : sites.turn(round)) {
                long begin = System.nanoTime();
                site.start();
                double ready = bench.awaitReady(site, topics, begin);
                bench.samples().add(Metrics.at("start", partitions), site.id(), round, ready);
                bench.say("%-7s %4d partitions: ready %.2f s after a start on its data"
                        .formatted(site.id(), partitions, ready));
                site.stop();
            }
            if (plan.asks(RowName.IDLE)) {
                for (Site site : sites.all()) {
                    long begin = System.nanoTime();
                    site.start();
                    double unused = bench.awaitReady(site, topics, begin);
                }
                rest(bench, sites, partitions, round, figures);
            }
        }
    }

    private static void created(Bench bench, Site site, TopicSet topics, int round) {
        // One small topic first: the server is up, and the client connected, before the clock starts.
        bench.prepare(site, TopicSet.ofPartitions("first", 1));
        double seconds = bench.create(site, topics);
        bench.say("%-7s %4d partitions created and written in %.2f s".formatted(site.id(), topics.total(), seconds));
        if (topics.total() == 2048) {
            bench.samples().add("create", site.id(), round, seconds);
        }
    }

    private static double recovered(Bench bench, Site site, TopicSet topics, int round) {
        site.kill();
        long begin = System.nanoTime();
        site.start();
        double ready = bench.awaitReady(site, topics, begin);
        bench.load(site, topics.addTo(Line.of("mark")));
        double all = (System.nanoTime() - begin) / 1e9;
        bench.samples().add(Metrics.at("recover", topics.total()), site.id(), round, ready);
        bench.samples().add(Metrics.at("recover.all", topics.total()), site.id(), round, all);
        bench.say("%-7s %4d partitions: ready %.2f s after kill -9, all of them %.2f s"
                .formatted(site.id(), topics.total(), ready, all));
        return ready;
    }

    private void rest(Bench bench, Sites sites, int partitions, int round, Map<String, Double> figures) {
        int seconds = bench.plan().idleSeconds();
        bench.say("at rest for 2 × %d s".formatted(seconds));
        pause(seconds);
        boolean last = round == bench.plan().rounds() - 1;
        sites.all().forEach(site -> bench.beginProfile(site, last));
        Map<String, ProcessTicks> before = new HashMap<>();
        long begin = System.nanoTime();
        sites.all().forEach(site -> before.put(site.id(), proc.process(site.pid())));
        pause(seconds);
        for (Site site : sites.all()) {
            double used = proc.process(site.pid()).seconds()
                    - before.getOrDefault(site.id(), new ProcessTicks(0, 0)).seconds();
            double percent = 100 * used / ((System.nanoTime() - begin) / 1e9);
            double resident = proc.residentBytes(site.pid()) / StreamRow.MIB;
            bench.samples().add(Metrics.at("idle.memory", partitions), site.id(), round, resident);
            bench.samples().add(Metrics.at("idle.cpu", partitions), site.id(), round, percent);
            figures.put(site.id() + ".memory." + partitions, resident);
            bench.say("%-7s %4d partitions at rest: RSS %.0f MiB, CPU %.2f %% of a core"
                    .formatted(site.id(), partitions, resident, percent));
            bench.endProfile(site, "idle-" + partitions, last);
        }
    }

    /** Adds the figures that compare many partitions with few. */
    private static void compare(Samples samples, int round, Map<String, Double> figures) {
        figures.forEach((name, many) -> {
            if (!name.endsWith(MANY)) {
                return;
            }
            String stem = name.substring(0, name.length() - MANY.length());
            Double few = figures.get(stem + FEW);
            if (few == null) {
                return;
            }
            String target = stem.substring(0, stem.indexOf('.'));
            if (stem.endsWith(".recover")) {
                samples.add("recover.growth", target, round, many / few);
            } else {
                samples.add("idle.memory.growth", target, round, many - few);
            }
        });
    }

    private static void pause(int seconds) {
        try {
            Thread.sleep(seconds * 1000L);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
