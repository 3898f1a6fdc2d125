package io.forebay.bench.cluster;

import io.forebay.bench.target.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartitionInfo;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kills, stops and adds nodes of a cluster over one folder, and prints a table of how long partitions acknowledged nothing. Started by {@code bin/bench cluster}. */
@Command(name = "bin/bench cluster", mixinStandardHelpOptions = true, showDefaultValues = true, sortOptions = false)
public final class ClusterBench implements Callable<Integer> {

    private static final String TOPIC = "probe";
    private static final long LIMIT_MS = 60_000;

    @Option(names = "--partitions", paramLabel = "N", description = "partitions of the topic")
    private int partitions = 1_000;

    @Option(names = "--rounds", paramLabel = "N", description = "each with a new cluster")
    private int rounds = 3;

    @Option(names = "--every-ms", paramLabel = "MS", description = "pause between two records of a partition")
    private long everyMs = 500;

    @Option(names = "--heap", paramLabel = "SIZE", description = "maximum heap of each node")
    private String heap = "512m";

    private final Map<String, List<Long>> figures = new LinkedHashMap<>();

    /** Runs the command line. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ClusterBench()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Children children = new Children();
        Path launcher = Path.of(System.getProperty("bench.root"), "bin", "forebay");
        children.endWithJvm(() -> {});
        for (int round = 1; round <= rounds; round++) {
            Path folder = Files.createTempDirectory("forebay-cluster-");
            System.err.println("round " + round + " in " + folder);
            round(new ClusterNodes(children, launcher, folder, heap));
        }
        System.out.println("| what | median ms | all |");
        System.out.println("|---|---:|---|");
        figures.forEach((what, all) -> {
            List<Long> sorted = all.stream().sorted().toList();
            System.out.println("| " + what + " | " + sorted.get(sorted.size() / 2) + " | " + all + " |");
        });
        return 0;
    }

    private void note(String what, long ms) {
        System.err.println(what + ": " + ms);
        figures.computeIfAbsent(what, w -> new ArrayList<>()).add(ms);
    }

    private void round(ClusterNodes nodes) throws IOException, InterruptedException, ExecutionException {
        startThree(nodes);
        String bootstrap = ClusterNodes.bootstrap(4);
        try (Admin admin = Admin.create(Map.of(
                "bootstrap.servers",
                bootstrap,
                "reconnect.backoff.max.ms",
                "50",
                "retry.backoff.ms",
                "20",
                "retry.backoff.max.ms",
                "50"))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, partitions, (short) 1)))
                    .all()
                    .get();
            awaitShares(admin, 3);
            try (AckProbe probe = new AckProbe(bootstrap, TOPIC, partitions, everyMs)) {
                var unused = probe.allAckedAfter(System.nanoTime(), LIMIT_MS);
                settle();
                deaths(nodes, admin, probe);
                stopAndJoin(nodes, admin, probe);
                note("sends that failed", probe.failures());
            }
            restartAll(nodes, bootstrap);
        }
        for (int id = 1; id <= 3; id++) {
            nodes.kill(id);
        }
    }

    private void startThree(ClusterNodes nodes) throws IOException {
        for (int id = 1; id <= 3; id++) {
            nodes.start(id);
        }
        for (int id = 1; id <= 3; id++) {
            nodes.awaitReady(id);
        }
    }

    private void deaths(ClusterNodes nodes, Admin admin, AckProbe probe)
            throws IOException, InterruptedException, ExecutionException {
        int controller = admin.describeCluster().controller().get().id();
        int other = controller % 3 + 1;
        nodes.kill(other);
        note(
                "kill -9 of a broker, until every partition acknowledges",
                probe.allAckedAfter(System.nanoTime(), LIMIT_MS));
        nodes.start(other);
        nodes.awaitReady(other);
        awaitShares(admin, 3);
        settle();
        nodes.kill(controller);
        long killed = System.nanoTime();
        admin.createTopics(List.of(new NewTopic("after-" + killed, 1, (short) 1)))
                .all()
                .get();
        note("kill -9 of the controller, until a topic is created", (System.nanoTime() - killed) / 1_000_000);
        note("kill -9 of the controller, until every partition acknowledges", probe.allAckedAfter(killed, LIMIT_MS));
        nodes.start(controller);
        nodes.awaitReady(controller);
        awaitShares(admin, 3);
        settle();
    }

    private void stopAndJoin(ClusterNodes nodes, Admin admin, AckProbe probe)
            throws IOException, InterruptedException, ExecutionException {
        int controller = admin.describeCluster().controller().get().id();
        int other = controller % 3 + 1;
        probe.forgetGaps();
        note("drain: SIGTERM to exit", nodes.stop(other));
        var unused = probe.allAckedAfter(System.nanoTime(), LIMIT_MS);
        note("drain: longest pause of a partition, p50", probe.gapMs(0.5));
        note("drain: longest pause of a partition, p99", probe.gapMs(0.99));
        nodes.start(other);
        nodes.awaitReady(other);
        awaitShares(admin, 3);
        settle();
        probe.forgetGaps();
        nodes.start(4);
        nodes.awaitReady(4);
        long ready = System.nanoTime();
        awaitShares(admin, 4);
        note("a fourth node: ready until it leads its share", (System.nanoTime() - ready) / 1_000_000);
        unused = probe.allAckedAfter(System.nanoTime(), LIMIT_MS);
        note("a fourth node: longest pause of a partition, p99", probe.gapMs(0.99));
        long gone = nodes.stop(4);
        System.err.println("the fourth node ends again after " + gone + " ms");
    }

    private void restartAll(ClusterNodes nodes, String bootstrap) throws IOException, InterruptedException {
        for (int id = 1; id <= 3; id++) {
            nodes.kill(id);
        }
        long from = System.nanoTime();
        for (int id = 1; id <= 3; id++) {
            nodes.start(id);
        }
        try (AckProbe probe = new AckProbe(bootstrap, TOPIC, partitions, everyMs)) {
            note(
                    "restart of all three after kill -9, until every partition acknowledges",
                    probe.allAckedAfter(from, LIMIT_MS));
        }
    }

    /** Waits until so many nodes lead, each at least four fifths of its share. */
    private void awaitShares(Admin admin, int nodes) throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + LIMIT_MS * 1_000_000;
        while (true) {
            Map<Integer, Integer> led = new LinkedHashMap<>();
            for (TopicPartitionInfo partition : admin.describeTopics(List.of(TOPIC))
                    .allTopicNames()
                    .get()
                    .values()
                    .iterator()
                    .next()
                    .partitions()) {
                if (partition.leader() != null && partition.leader().id() >= 0) {
                    led.merge(partition.leader().id(), 1, Integer::sum);
                }
            }
            boolean fair = led.values().stream().mapToInt(Integer::intValue).sum() == partitions
                    && led.values().stream()
                                    .filter(n -> n >= partitions / nodes * 4 / 5)
                                    .count()
                            == nodes;
            if (fair) {
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("the partitions are not spread over " + nodes + " nodes: " + led);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static void settle() {
        LockSupport.parkNanos(2_000_000_000L);
    }
}
