package io.forebay.bench.cluster;

import io.forebay.bench.load.ClientProcess;
import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import io.forebay.bench.machine.FamilyTicks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Full batches to 16 partitions: three nodes over HDFS as they come (batches of this size stay in the journal: that is the journal's path alone), three that write all of it
 * to segments at once and merge these, and three brokers of Kafka with three copies. All run the whole time, one is loaded, in turns. CPU is that of all its servers, the
 * DataNodes and the NameNode with Forebay's, until they are at rest again.
 */
final class HdfsProduceRow implements ClusterRow {
    private static final int NODES = 3;
    private static final int PARTITIONS = 16;
    private static final int JOURNAL_PORT = 24_100;
    private static final int FLUSHED_PORT = 24_110;
    private static final double MIB = 1 << 20;
    private static final int RECORDS_OF_MIB = 1 << 10;
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long SETTLE_STEP_MS = 1_000;
    private static final int SETTLE_STEPS = 30;
    private static final double QUIET_CORES = 0.15;

    /** What writes segments of everything soon. */
    private static final Map<String, String> FLUSHED =
            Map.of("journal.unretired.bytes", "16MiB", "journal.file.bytes", "16MiB");

    @Override
    public boolean once() {
        return true;
    }

    /** One of the three that are compared. */
    private record Side(String id, String bootstrap, List<Long> nodes, List<Long> all) {}

    @Override
    public void run(Rig rig, int ignored) {
        try (StoreSite hdfs = rig.store("hdfs");
                ClusterNodes journal = new ClusterNodes(
                        rig, hdfs, "journal", JOURNAL_PORT, rig.plan().heap(), Map.of());
                ClusterNodes flushed = new ClusterNodes(
                        rig, hdfs, "flushed", FLUSHED_PORT, rig.plan().heap(), FLUSHED);
                KafkaNodes kafka = new KafkaNodes(rig, NODES);
                ClientProcess client = rig.client("produce-client")) {
            kafka.start();
            journal.startAll(NODES);
            flushed.startAll(NODES);
            List<Side> sides = List.of(
                    new Side("kafka", kafka.bootstrap(), kafka.pids(), kafka.pids()),
                    side("journal", journal, hdfs),
                    side("flushed", flushed, hdfs));
            for (Side side : sides) {
                rig.say(side.id() + " warms up");
                double[] unusedCold = load(client, side, "warm", rig.plan().produceMiB() / 2);
                double[] unusedWarm = load(client, side, "warmer", rig.plan().produceMiB() / 2);
            }
            for (int round = 0; round < rig.plan().rounds(); round++) {
                round(rig, client, sides, round);
            }
        }
    }

    private static Side side(String id, ClusterNodes nodes, StoreSite hdfs) {
        List<Long> own = new ArrayList<>();
        for (int node = 1; node <= NODES; node++) {
            own.add(nodes.pid(node));
        }
        List<Long> all = new ArrayList<>(own);
        all.addAll(hdfs.pids());
        return new Side(id, nodes.bootstrap(NODES), own, all);
    }

    private static void round(Rig rig, ClientProcess client, List<Side> sides, int round) {
        Map<String, double[]> figures = new HashMap<>();
        for (int i = 0; i < sides.size(); i++) {
            Side side = sides.get((i + round) % sides.size());
            figures.put(
                    side.id(), load(client, side, "round-" + round, rig.plan().produceMiB()));
        }
        figures.forEach((id, figure) -> {
            rig.note("produce.rate", id, round, figure[0]);
            rig.note("produce.cpu", id, round, figure[1]);
            if (!id.equals("kafka")) {
                double[] kafka = figures.getOrDefault("kafka", figure);
                rig.note("produce.cpu.nodes", id, round, figure[2]);
                rig.note("produce.rate.ratio", id, round, figure[0] / kafka[0]);
                rig.note("produce.cpu.ratio", id, round, figure[1] / kafka[1]);
            }
        });
    }

    /** MiB a second, CPU seconds of all servers for a GiB, and of the nodes alone. */
    private static double[] load(ClientProcess client, Side side, String name, int mib) {
        TopicSet topics = new TopicSet(name, 1, PARTITIONS);
        long one = side.nodes().get(0);
        Line base = ClusterLoads.produce(side.bootstrap(), one, topics, (long) mib * RECORDS_OF_MIB);
        for (String verb : List.of("create", "mark")) {
            Line unused = ClusterLoads.call(client, new Line(verb, base.fields()), LIMIT);
        }
        settle(side.all());
        double all = FamilyTicks.secondsOf(side.all());
        double nodes = FamilyTicks.secondsOf(side.nodes());
        Line answer = ClusterLoads.call(client, base, LIMIT);
        settle(side.all());
        double gib = mib / 1024.0;
        double[] figures = {
            answer.number("bytes") / MIB / answer.decimal("wall"),
            (FamilyTicks.secondsOf(side.all()) - all) / gib,
            (FamilyTicks.secondsOf(side.nodes()) - nodes) / gib
        };
        Line unused = ClusterLoads.call(client, new Line("delete", base.fields()), LIMIT);
        return figures;
    }

    /** Waits until the servers have done what they put off: below a share of a core, twice in a row. */
    private static void settle(List<Long> pids) {
        int quiet = 0;
        double last = FamilyTicks.secondsOf(pids);
        for (int i = 0; i < SETTLE_STEPS && quiet < 2; i++) {
            Rig.pause(SETTLE_STEP_MS);
            double now = FamilyTicks.secondsOf(pids);
            quiet = now - last < QUIET_CORES * SETTLE_STEP_MS / 1_000 ? quiet + 1 : 0;
            last = now;
        }
    }
}
