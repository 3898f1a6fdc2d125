package io.forebay.bench.cluster;

import io.forebay.bench.machine.QuietWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * A node that is nothing but the controller holds many topics: its heap, how fast another life of it has replayed them, and how fast a change reaches the three nodes
 * that serve.
 */
final class ControllerRow implements ClusterRow {
    private static final int BASE_PORT = 24_100;
    /** The first is controller only and has no port for clients. */
    private static final int NODES = 4;

    private static final String HEAP = "1500m";
    private static final int TOPICS_OF_REQUEST = 250;
    private static final long SETTLE_MS = 5_000;
    private static final long CHANGE_EVERY_MS = 20;
    private static final Pattern USED = Pattern.compile("heap +total \\d+K, used (\\d+)K");
    private static final Pattern REPLAYED = Pattern.compile("(\\d+) records replayed from");

    @Override
    public boolean once() {
        return true;
    }

    @Override
    public void run(Rig rig, int round) {
        try (StoreSite store = rig.store("folder");
                ClusterNodes nodes =
                        new ClusterNodes(rig, store, "controller", BASE_PORT, HEAP, ClusterNodes.SMALL_CACHES)) {
            startController(nodes);
            for (int id = 2; id <= NODES; id++) {
                nodes.start(id);
            }
            for (int id = 2; id <= NODES; id++) {
                nodes.awaitReady(id);
            }
            try (Topics topics = new Topics(servers(nodes))) {
                fill(rig, topics);
                Rig.pause(SETTLE_MS);
                int each = rig.plan().partitionsOfTopic();
                rig.note(
                        "image.partitions",
                        "forebay",
                        round,
                        (double) rig.plan().topics() * each);
                for (int i = 0; i < rig.plan().rounds(); i++) {
                    spread(rig, nodes, topics, i);
                }
            }
            for (int id = 1; id <= NODES; id++) {
                nodes.kill(id);
            }
            // Whoever has replayed much writes a snapshot: the life after that begins with it.
            double unused = replay(nodes);
            Rig.pause(SETTLE_MS);
            for (int i = 0; i < rig.plan().rounds(); i++) {
                nodes.kill(1);
                rig.note("image.replay", "forebay", i, replay(nodes));
                Matcher replayed = REPLAYED.matcher(nodes.logOf(1));
                rig.note(
                        "image.records",
                        "forebay",
                        i,
                        replayed.find() ? Double.parseDouble(replayed.group(1)) : Double.NaN);
                Rig.pause(SETTLE_MS);
                rig.note("image.heap", "forebay", i, heapMiB(nodes.pid(1)));
            }
        }
    }

    private static void startController(ClusterNodes nodes) {
        nodes.start(1, Map.of("node.roles", "controller"));
        nodes.awaitLine(1, "node 1 is the controller");
    }

    private static String servers(ClusterNodes nodes) {
        return IntStream.rangeClosed(2, NODES).mapToObj(nodes::address).collect(Collectors.joining(","));
    }

    /** Seconds from the start of the process until it leads again. */
    private static double replay(ClusterNodes nodes) {
        long from = System.nanoTime();
        startController(nodes);
        return (System.nanoTime() - from) / 1e9;
    }

    private static void fill(Rig rig, Topics topics) {
        long from = System.nanoTime();
        int all = rig.plan().topics();
        for (int i = 0; i < all; i += TOPICS_OF_REQUEST) {
            List<String> names = IntStream.range(i, Math.min(all, i + TOPICS_OF_REQUEST))
                    .mapToObj(topic -> "topic-" + topic)
                    .toList();
            topics.createAll(names, rig.plan().partitionsOfTopic());
        }
        rig.say("%d topics created in %.1f s".formatted(all, (System.nanoTime() - from) / 1e9));
    }

    private static void spread(Rig rig, ClusterNodes nodes, Topics topics, int round) {
        ExecutorService askers = Executors.newFixedThreadPool(NODES);
        List<NodeView> views = IntStream.rangeClosed(2, NODES)
                .mapToObj(id -> new NodeView(nodes.address(id)))
                .toList();
        List<Double> times = new ArrayList<>();
        QuietWatch watch = new QuietWatch();
        try {
            for (int i = 0; i < rig.plan().changes(); i++) {
                String topic = "change-" + round + "-" + i;
                long sent = System.nanoTime();
                List<CompletableFuture<Long>> seen = views.stream()
                        .map(view -> CompletableFuture.supplyAsync(() -> view.awaitTopic(topic), askers))
                        .toList();
                List<TopicPartition> unused = topics.create(topic, 1);
                long last = seen.stream()
                        .mapToLong(CompletableFuture::join)
                        .map(at -> at - sent)
                        .max()
                        .orElseThrow();
                times.add(last / 1e6);
                Rig.pause(CHANGE_EVERY_MS);
            }
        } finally {
            views.forEach(NodeView::close);
            askers.shutdownNow();
        }
        rig.note("image.spread.p50", "forebay", round, Numbers.percentile(times, 0.5), watch);
        rig.note("image.spread.p99", "forebay", round, Numbers.percentile(times, 0.99), watch);
    }

    /** What is reachable in a JVM's heap. */
    private static double heapMiB(long pid) {
        String unused = jcmd(pid, "GC.run");
        String heap = jcmd(pid, "GC.heap_info");
        Matcher used = USED.matcher(heap);
        if (!used.find()) {
            throw new IllegalStateException("no heap in: " + heap);
        }
        return Long.parseLong(used.group(1)) / 1024.0;
    }

    private static String jcmd(long pid, String command) {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            command)
                    .redirectErrorStream(true)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
