package io.forebay.bench.cluster;

import io.forebay.bench.load.ClientProcess;
import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import java.time.Duration;
import java.util.Map;

/**
 * Requests that reach a bucket, counted by a relay before it: of three nodes at rest, a third of them for each; and of one node while 10 MiB/s come in. What they cost in a
 * month follows from the list prices of S3 Standard in us-east-1: 5 $ for a million of PUT, POST and LIST, 0.4 $ for a million of GET and HEAD, nothing for DELETE.
 */
final class S3RequestsRow implements ClusterRow {
    private static final int BASE_PORT = 24_100;
    private static final int NODES = 3;
    private static final int PARTITIONS = 16;
    private static final int RECORDS_A_SECOND = 10 * 1024;
    private static final int LEAD_SECONDS = 2;
    private static final long SETTLE_MS = 10_000;
    private static final double WRITE_PRICE = 5e-6;
    private static final double READ_PRICE = 4e-7;
    private static final double MONTH_SECONDS = 30 * 86_400;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Override
    public boolean once() {
        return true;
    }

    @Override
    public void run(Rig rig, int ignored) {
        try (S3Site s3 = (S3Site) rig.store("s3")) {
            rest(rig, s3);
            load(rig, s3);
        }
    }

    private static void rest(Rig rig, S3Site s3) {
        try (ClusterNodes nodes =
                new ClusterNodes(rig, s3, "idle", BASE_PORT, rig.plan().heap(), ClusterNodes.SMALL_CACHES)) {
            nodes.startAll(NODES);
            try (Topics topics = new Topics(nodes.bootstrap(NODES));
                    AckProbe probe = new AckProbe(nodes.bootstrap(NODES), topics.create("rest", PARTITIONS), 0)) {
                probe.askAll(Topics.LIMIT_MS);
            }
            Rig.pause(SETTLE_MS);
            for (int round = 0; round < rig.plan().rounds(); round++) {
                Map<String, Long> before = s3.requests();
                Rig.pause(rig.plan().seconds() * 1_000L);
                note(
                        rig,
                        round,
                        "idle",
                        before,
                        s3.requests(),
                        (double) rig.plan().seconds() * NODES);
            }
        }
    }

    /** Requests while the client connects and while the node does what it put off count, that time does not. */
    private static void load(Rig rig, S3Site s3) {
        try (ClusterNodes nodes =
                        new ClusterNodes(rig, s3, "load", BASE_PORT, rig.plan().heap(), Map.of());
                ClientProcess client = rig.client("s3-client")) {
            nodes.startAll(1);
            try (Topics topics = new Topics(nodes.bootstrap(1))) {
                rig.say("%d partitions"
                        .formatted(topics.create("load", PARTITIONS).size()));
            }
            int seconds = 3 * rig.plan().seconds();
            Line load = ClusterLoads.paced(
                    nodes.bootstrap(1), nodes.pid(1), new TopicSet("load", 1, PARTITIONS), RECORDS_A_SECOND, seconds);
            for (int round = 0; round < rig.plan().rounds(); round++) {
                Map<String, Long> before = s3.requests();
                Line answer = ClusterLoads.call(client, load, LIMIT);
                rig.say("p99 of an acknowledgement %.0f ms".formatted(answer.decimal("p99")));
                note(rig, round, "load", before, s3.requests(), seconds + LEAD_SECONDS);
            }
        }
    }

    private static void note(
            Rig rig, int round, String when, Map<String, Long> before, Map<String, Long> after, double nodeSeconds) {
        rig.say("%s: from %s to %s".formatted(when, before, after));
        double puts = rate("put.", before, after, nodeSeconds) + rate("post.", before, after, nodeSeconds);
        double gets = rate("get.", before, after, nodeSeconds) + rate("head.", before, after, nodeSeconds);
        double lists = rate("list", before, after, nodeSeconds);
        String name = "requests." + when;
        rig.note(name + ".put", "s3", round, puts);
        rig.note(name + ".put.journal", "s3", round, rate("put.journal", before, after, nodeSeconds));
        rig.note(name + ".get", "s3", round, gets);
        rig.note(name + ".list", "s3", round, lists);
        rig.note(name + ".delete", "s3", round, rate("delete.", before, after, nodeSeconds));
        rig.note(name + ".cost", "s3", round, ((puts + lists) * WRITE_PRICE + gets * READ_PRICE) * MONTH_SECONDS);
    }

    private static double rate(String kind, Map<String, Long> before, Map<String, Long> after, double nodeSeconds) {
        return (sum(kind, after) - sum(kind, before)) / nodeSeconds;
    }

    private static long sum(String kind, Map<String, Long> requests) {
        return requests.entrySet().stream()
                .filter(each -> each.getKey().startsWith(kind))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
