package io.forebay.bench.cluster;

import io.forebay.bench.machine.QuietWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Moves a shard to and fro with {@code bin/forebay cluster move} while its partitions are asked every few milliseconds. A partition's pause is the longest time between two
 * of its acknowledgements, less what is usual between two (on a bucket that is the journal's linger and a PUT).
 */
final class Moves {
    private static final int NODES = 3;
    private static final long EVERY_MS = 5;
    private static final long LOOK_MS = 3_000;
    private static final long SETTLE_MS = 500;
    private static final int SHARDS_TRIED = 20;
    private static final int PUTS = 200;
    private static final int PUT_BYTES = 4 << 10;

    private final Rig rig;
    private final StoreSite store;
    private final ClusterNodes nodes;
    private final Topics topics;
    private final int round;

    Moves(Rig rig, StoreSite store, ClusterNodes nodes, Topics topics, int round) {
        this.rig = rig;
        this.store = store;
        this.nodes = nodes;
        this.topics = topics;
        this.round = round;
    }

    /** A shard and those of the topic's partitions that are in it. */
    private record Found(String shard, List<TopicPartition> partitions) {}

    /** Returns how many sends failed. */
    long run(String topic) {
        Found found = find(topic);
        rig.say("%s holds %s".formatted(found.shard(), found.partitions()));
        List<Double> pauses = new ArrayList<>();
        QuietWatch watch = new QuietWatch();
        try (AckProbe probe = new AckProbe(nodes.bootstrap(NODES), found.partitions(), EVERY_MS)) {
            Rig.pause(SETTLE_MS);
            double usual = probe.usualGapMs(2 * SETTLE_MS);
            for (int i = 0; i < rig.plan().moves(); i++) {
                int from = owner(topic, found);
                int to = from % NODES + 1;
                probe.forgetGaps();
                nodes.move(found.shard(), to);
                if (!moved(topic, found, from)) {
                    throw new IllegalStateException(found.shard() + " does not move to node " + to);
                }
                Rig.pause(SETTLE_MS);
                for (double gap : probe.gapsMs()) {
                    pauses.add(Math.max(0, gap - usual));
                }
            }
            double p50 = Numbers.percentile(pauses, 0.5);
            double p99 = Numbers.percentile(pauses, 0.99);
            note("move.usual", usual, watch);
            note("move.p50", p50, watch);
            note("move.p99", p99, watch);
            if (store instanceof S3Site bucket) {
                List<Double> puts = puts(bucket);
                double put50 = Numbers.percentile(puts, 0.5);
                double put99 = Numbers.percentile(puts, 0.99);
                note("move.put.p50", put50, watch);
                note("move.put.p99", put99, watch);
                note("move.over.p50", p50 - 3 * put50, watch);
                note("move.over.p99", p99 - 3 * put99, watch);
            }
            return probe.failures();
        }
    }

    private void note(String metric, double value, QuietWatch watch) {
        rig.note(metric, store.kind(), round, value, watch);
    }

    /** Looks which partitions change their leader with a shard. */
    private Found find(String topic) {
        for (int shard = 0; shard < SHARDS_TRIED; shard++) {
            String name = "user-" + (shard + round * SHARDS_TRIED);
            Map<TopicPartition, Integer> before = topics.leaders(topic);
            for (int to = 1; to <= 2; to++) {
                nodes.move(name, to);
                long end = System.nanoTime() + LOOK_MS * 1_000_000;
                while (System.nanoTime() - end < 0) {
                    List<TopicPartition> changed = new ArrayList<>();
                    topics.leaders(topic).forEach((partition, leader) -> {
                        if (!leader.equals(before.get(partition))) {
                            changed.add(partition);
                        }
                    });
                    if (!changed.isEmpty()) {
                        Rig.pause(SETTLE_MS);
                        return new Found(name, changed);
                    }
                    Rig.pause(50);
                }
            }
        }
        throw new IllegalStateException("no shard moved");
    }

    private int owner(String topic, Found found) {
        Integer owner = topics.leaders(topic).get(found.partitions().get(0));
        if (owner == null) {
            throw new IllegalStateException(found.partitions().get(0) + " has no leader");
        }
        return owner;
    }

    private boolean moved(String topic, Found found, int from) {
        long end = System.nanoTime() + LOOK_MS * 1_000_000;
        while (System.nanoTime() - end < 0) {
            Integer leader = topics.leaders(topic).get(found.partitions().get(0));
            if (leader != null && leader != from) {
                return true;
            }
            Rig.pause(20);
        }
        return false;
    }

    /** How long the store takes to put small objects, one after the other, in ms. */
    private static List<Double> puts(S3Site bucket) {
        HttpClient client = HttpClient.newHttpClient();
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < PUTS; i++) {
            URI uri = URI.create("http://127.0.0.1:" + bucket.serverPort() + "/forebay/raw/" + i);
            HttpRequest put = HttpRequest.newBuilder(uri)
                    .PUT(BodyPublishers.ofByteArray(new byte[PUT_BYTES]))
                    .build();
            long from = System.nanoTime();
            try {
                HttpResponse<Void> answer = client.send(put, BodyHandlers.discarding());
                if (answer.statusCode() != 200) {
                    throw new IllegalStateException("PUT was answered with " + answer.statusCode());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
            millis.add((System.nanoTime() - from) / 1e6);
        }
        return millis;
    }
}
