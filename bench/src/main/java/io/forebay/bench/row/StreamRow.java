package io.forebay.bench.row;

import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import io.forebay.bench.report.Metrics;
import io.forebay.bench.report.Samples;

/**
 * Full batches in and out: what a server spends on a GiB, and how fast it goes. All servers run the whole time, one is
 * loaded. Every load gets a topic of its own, which is written, read from its beginning, and deleted.
 */
final class StreamRow implements Row {
    static final double GIB = 1024.0 * 1024 * 1024;
    static final double MIB = 1024.0 * 1024;

    private static final int TAIL_PARTITIONS = 16;
    private static final double TAIL_RECORDS_PER_SECOND = 40 * 1024;
    private static final int TAIL_LINGER_MS = 5;

    @Override
    public String name() {
        return "produce, consume";
    }

    @Override
    public void run(Bench bench) {
        Plan plan = bench.plan();
        try (Sites sites = bench.sites("stream")) {
            sites.all().forEach(Site::start);
            sites.all().forEach(site -> warmUp(bench, site));
            for (int round = 0; round < plan.rounds(); round++) {
                for (int partitions : Metrics.STREAM_PARTITIONS) {
                    for (Site site : sites.turn(round)) {
                        stream(bench, site, round, partitions);
                    }
                }
                if (plan.asks(RowName.CONSUME)) {
                    for (Site site : sites.turn(round)) {
                        tail(bench, site, round);
                    }
                }
            }
        }
    }

    /** Half of the records through one partition, half through several, each written and read. */
    static void warmUp(Bench bench, Site site) {
        long records = Math.max(1, bench.plan().warmRecords() / 2);
        bench.say("%-7s warming up".formatted(site.id()));
        for (int partitions : new int[] {1, TAIL_PARTITIONS}) {
            TopicSet topics = TopicSet.ofPartitions("warm-" + partitions, partitions);
            bench.prepare(site, topics);
            bench.load(site, Loads.produce(topics, records));
            bench.load(site, Loads.consume(topics, records));
            bench.delete(site, topics);
        }
    }

    private static void stream(Bench bench, Site site, int round, int partitions) {
        Plan plan = bench.plan();
        boolean last = round == plan.rounds() - 1;
        TopicSet topics = TopicSet.ofPartitions("stream-" + partitions + "-" + round, partitions);
        long records = plan.records();
        bench.prepare(site, topics);

        Line produced = bench.measure(
                site, Loads.produce(topics, records), "produce-" + partitions, last && plan.asks(RowName.PRODUCE));
        if (plan.asks(RowName.PRODUCE)) {
            add(bench.samples(), site, round, partitions, produced, "produce.cpu", "produce.rate");
            bench.say("%-7s %2d partitions produced: %s".formatted(site.id(), partitions, words(produced)));
        }
        if (plan.asks(RowName.CONSUME)) {
            Line consumed = bench.measure(site, Loads.consume(topics, records), "consume-" + partitions, last);
            add(bench.samples(), site, round, partitions, consumed, "consume.catchup", "consume.rate");
            bench.say("%-7s %2d partitions consumed: %s".formatted(site.id(), partitions, words(consumed)));
        }
        bench.delete(site, topics);
    }

    private static void tail(Bench bench, Site site, int round) {
        TopicSet topics = TopicSet.ofPartitions("tail-" + round, TAIL_PARTITIONS);
        bench.prepare(site, topics);
        Line load = Loads.paced(topics, TAIL_RECORDS_PER_SECOND, bench.plan().tailSeconds(), TAIL_LINGER_MS)
                .with("tail", true);
        Line answer = bench.measure(site, load, "tail", round == bench.plan().rounds() - 1);
        bench.samples().add("consume.tail", site.id(), round, cpuPerGib(answer, "settled"));
        bench.say("%-7s tail: %s".formatted(site.id(), words(answer)));
        bench.delete(site, topics);
    }

    private static void add(
            Samples samples, Site site, int round, int partitions, Line answer, String cpu, String rate) {
        samples.add(Metrics.at(cpu, partitions), site.id(), round, cpuPerGib(answer, "settled"));
        samples.add(Metrics.at(cpu + ".direct", partitions), site.id(), round, cpuPerGib(answer, "server"));
        samples.add(Metrics.at(cpu + ".client", partitions), site.id(), round, cpuPerGib(answer, "client"));
        samples.add(Metrics.at(cpu + ".other", partitions), site.id(), round, answer.decimal("other"));
        samples.add(Metrics.at(rate, partitions), site.id(), round, rate(answer));
    }

    /** Seconds of one kind for each GiB of values. */
    static double cpuPerGib(Line answer, String kind) {
        return answer.decimal(kind) / (answer.number("bytes") / GIB);
    }

    /** MiB of values a second. */
    static double rate(Line answer) {
        return answer.number("bytes") / MIB / answer.decimal("wall");
    }

    /** For progress. */
    static String words(Line answer) {
        return "%.0f MiB/s, server %.2f s/GiB (%.2f with what it put off), client %.2f, others %.2f s in %.1f s"
                .formatted(
                        rate(answer),
                        cpuPerGib(answer, "server"),
                        cpuPerGib(answer, "settled"),
                        cpuPerGib(answer, "client"),
                        answer.decimal("other"),
                        answer.decimal("wall"));
    }
}
