package io.forebay.bench.cluster;

import io.forebay.bench.machine.QuietWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * What becomes of three nodes in one round, on each kind of store: one dies, the controller's dies, shards move, one is stopped, a fourth comes and goes, with the smaller
 * number of partitions; all are restarted; two die again with the larger number.
 */
final class LifeRow implements ClusterRow {
    private static final int NODES = 3;
    private static final int BASE_PORT = 24_100;
    private static final String TOPIC = "probe";
    private static final String MORE = "more";
    private static final String MANY = "many";
    private static final long LIMIT_MS = Topics.LIMIT_MS;
    private static final long SETTLE_MS = 2_000;
    private static final long DRAIN_EVERY_MS = 500;
    /** What an ended session has left is moved ten seconds after its shards were opened elsewhere: before a move is measured that is to be over. */
    private static final long PAST_MS = 20_000;

    @Override
    public void run(Rig rig, int round) {
        for (String kind : rig.plan().stores()) {
            rig.say("life of a cluster on " + kind);
            try (StoreSite store = rig.store(kind);
                    ClusterNodes nodes = new ClusterNodes(
                            rig, store, "life", BASE_PORT, rig.plan().heap(), ClusterNodes.SMALL_CACHES)) {
                new Life(rig, store, nodes, round).run();
            }
        }
    }

    /** One round on one store. */
    private static final class Life {
        private final Rig rig;
        private final ClusterPlan plan;
        private final StoreSite store;
        private final ClusterNodes nodes;
        private final int round;
        private long failed;
        private long lost;

        Life(Rig rig, StoreSite store, ClusterNodes nodes, int round) {
            this.rig = rig;
            this.plan = rig.plan();
            this.store = store;
            this.nodes = nodes;
            this.round = round;
        }

        void run() {
            nodes.startAll(NODES);
            String bootstrap = nodes.bootstrap(NODES + 1);
            try (Topics topics = new Topics(bootstrap)) {
                List<TopicPartition> few = topics.create(TOPIC, plan.partitions());
                topics.awaitShares(TOPIC, plan.partitions(), NODES);
                try (AckProbe probe = new AckProbe(bootstrap, few, 0)) {
                    probe.askAll(LIMIT_MS);
                    probe.askAll(LIMIT_MS);
                    Rig.pause(SETTLE_MS);
                    double[] times = deaths(topics, probe, TOPIC, plan.partitions());
                    note("kill.broker.1000", times[0]);
                    note("kill.controller.1000", times[1]);
                    note("kill.controller.create", times[2]);
                    failed += new Moves(rig, store, nodes, topics, round).run(TOPIC);
                    drain(topics, few);
                    join(topics, probe);
                    lost += topics.lost(probe.acknowledgedByPartition());
                    note("life.lost", (double) lost);
                    restart(topics, few);
                    many(topics, few, times);
                    note("life.failed", (double) (failed + probe.failures()));
                }
            }
        }

        private void note(String metric, double value) {
            rig.note(metric, store.kind(), round, value);
        }

        /** Broker's time, controller's, and until a topic was created, in ms. */
        private double[] deaths(Topics topics, AckProbe probe, String spread, int partitions) {
            int other = topics.controller() % NODES + 1;
            long killed = System.nanoTime();
            nodes.kill(other);
            double broker = probe.ask().awaitMs(killed, LIMIT_MS);
            rebirth(topics, probe, other, spread, partitions);
            int controller = topics.controller();
            killed = System.nanoTime();
            nodes.kill(controller);
            AckProbe.Question question = probe.ask();
            List<TopicPartition> unused = topics.create("after-" + killed, 1);
            double created = (System.nanoTime() - killed) / 1e6;
            double all = question.awaitMs(killed, LIMIT_MS);
            rebirth(topics, probe, controller, spread, partitions);
            return new double[] {broker, all, created};
        }

        private void rebirth(Topics topics, AckProbe probe, int id, String spread, int partitions) {
            nodes.start(id);
            nodes.awaitReady(id);
            topics.awaitShares(spread, partitions, NODES);
            probe.askAll(LIMIT_MS);
            Rig.pause(SETTLE_MS);
        }

        private void drain(Topics topics, List<TopicPartition> partitions) {
            int other = topics.controller() % NODES + 1;
            try (AckProbe probe = new AckProbe(nodes.bootstrap(NODES + 1), partitions, DRAIN_EVERY_MS)) {
                probe.askAll(LIMIT_MS);
                Rig.pause(SETTLE_MS);
                probe.forgetGaps();
                QuietWatch watch = new QuietWatch();
                note("drain.exit", (double) nodes.stop(other));
                probe.askAll(LIMIT_MS);
                Rig.pause(DRAIN_EVERY_MS * 2);
                double[] gaps = probe.gapsMs();
                rig.note("drain.pause.p50", store.kind(), round, over(Numbers.percentile(gaps, 0.5)), watch);
                rig.note("drain.pause.p99", store.kind(), round, over(Numbers.percentile(gaps, 0.99)), watch);
                probe.rest();
                failed += probe.failures();
                lost += topics.lost(probe.acknowledgedByPartition());
            }
            nodes.start(other);
            nodes.awaitReady(other);
            topics.awaitShares(TOPIC, plan.partitions(), NODES);
        }

        private static double over(double gapMs) {
            return Math.max(0, gapMs - DRAIN_EVERY_MS);
        }

        /** Nothing is sent until the shares are there, so that what is written is the move's. */
        private void join(Topics topics, AckProbe probe) {
            probe.askAll(LIMIT_MS);
            Rig.pause(PAST_MS);
            Map<String, Long> before = store.bytesByKind("life");
            nodes.start(NODES + 1);
            nodes.awaitReady(NODES + 1);
            long ready = System.nanoTime();
            topics.awaitShares(TOPIC, plan.partitions(), NODES + 1);
            double led = (System.nanoTime() - ready) / 1e6;
            Map<String, Long> after = store.bytesByKind("life");
            long asked = System.nanoTime();
            double served = probe.ask().awaitMs(asked, LIMIT_MS);
            note("join.share", led + served);
            Map<String, Long> grown = new TreeMap<>(after);
            before.forEach((kind, bytes) -> grown.merge(kind, -bytes, Long::sum));
            for (String kind : List.of("segment", "manifest", "journal", "root", "other")) {
                note("join.bytes." + kind, Math.max(0, grown.getOrDefault(kind, 0L)) / 1024.0);
            }
            rig.say("the fourth node ends again after %d ms".formatted(nodes.stop(NODES + 1)));
            topics.awaitShares(TOPIC, plan.partitions(), NODES);
        }

        private void restart(Topics topics, List<TopicPartition> few) {
            int missing = plan.restartPartitions() - few.size();
            List<TopicPartition> all = new ArrayList<>(few);
            if (missing > 0) {
                all.addAll(topics.create(MORE, missing));
            }
            try (AckProbe probe = new AckProbe(nodes.bootstrap(NODES), all, 0)) {
                probe.askAll(LIMIT_MS);
                Rig.pause(SETTLE_MS);
                for (int id = 1; id <= NODES; id++) {
                    nodes.kill(id);
                }
                long from = System.nanoTime();
                for (int id = 1; id <= NODES; id++) {
                    nodes.start(id);
                }
                note("restart.2048", probe.ask().awaitMs(from, LIMIT_MS));
                failed += probe.failures();
            }
            for (int id = 1; id <= NODES; id++) {
                nodes.awaitReady(id);
            }
        }

        private void many(Topics topics, List<TopicPartition> few, double[] fewTimes) {
            int missing = plan.manyPartitions() - Math.max(plan.restartPartitions(), few.size());
            if (missing <= 0) {
                return;
            }
            List<TopicPartition> all = new ArrayList<>(few);
            for (int i = few.size(); i < plan.restartPartitions(); i++) {
                all.add(new TopicPartition(MORE, i - few.size()));
            }
            all.addAll(topics.create(MANY, missing));
            topics.awaitShares(TOPIC, plan.partitions(), NODES);
            try (AckProbe probe = new AckProbe(nodes.bootstrap(NODES), all, 0)) {
                probe.askAll(LIMIT_MS);
                probe.askAll(LIMIT_MS);
                Rig.pause(SETTLE_MS);
                double[] times = deaths(topics, probe, TOPIC, plan.partitions());
                note("kill.broker.10000", times[0]);
                note("kill.controller.10000", times[1]);
                note("kill.broker.sizes", times[0] / fewTimes[0]);
                note("kill.controller.sizes", times[1] / fewTimes[1]);
                failed += probe.failures();
            }
        }
    }
}
