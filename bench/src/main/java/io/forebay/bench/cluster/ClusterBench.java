package io.forebay.bench.cluster;

import io.forebay.bench.machine.Machine;
import io.forebay.bench.report.ClusterMetrics;
import io.forebay.bench.report.ClusterReport;
import io.forebay.bench.report.RawFigures;
import io.forebay.bench.report.ReportFiles;
import io.forebay.bench.report.Run;
import io.forebay.bench.report.Samples;
import io.forebay.bench.report.Setting;
import io.forebay.bench.row.Bench;
import io.forebay.bench.target.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs rows of the cluster's benchmark and writes the report after each round of each. Started by {@code bin/bench cluster}. */
@Command(
        name = "bin/bench cluster",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        description =
                "Kills, stops, moves and loads nodes of clusters over a folder, HDFS and S3, and writes down how they bear it.")
public final class ClusterBench implements Callable<Integer> {

    @Option(names = "--all", description = "every row (the same as without --only)")
    private boolean all;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ROW",
            description = "life, roles, hdfs-latency, hdfs-produce, hdfs-lease, s3-requests, catch-up, controller")
    private List<String> only = List.of();

    @Option(
            names = "--store",
            split = ",",
            paramLabel = "STORE",
            defaultValue = "folder,hdfs,s3",
            description = "stores of the rows life and roles")
    private List<String> stores = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "each with new clusters")
    private int rounds = 3;

    @Option(names = "--partitions", paramLabel = "N", description = "life: partitions of the smaller topic")
    private int partitions = 1_000;

    @Option(names = "--many-partitions", paramLabel = "N", description = "life: partitions of all topics at the end")
    private int manyPartitions = 10_000;

    @Option(names = "--restart-partitions", paramLabel = "N", description = "life: partitions at the restart")
    private int restartPartitions = 2_048;

    @Option(names = "--moves", paramLabel = "N", description = "life: moves of a shard in each round")
    private int moves = 6;

    @Option(names = "--seconds", paramLabel = "N", description = "length of one slice of a paced load")
    private int seconds = 10;

    @Option(names = "--produce-mib", paramLabel = "N", description = "hdfs-produce: size of one load")
    private int produceMiB = 512;

    @Option(names = "--writers", paramLabel = "N", description = "hdfs-lease: writers that are killed, in all rounds")
    private int writers = 100;

    @Option(names = "--node-deaths", paramLabel = "N", description = "hdfs-lease: DataNodes killed with a writer")
    private int nodeDeaths = 5;

    @Option(names = "--catch-up-mib", paramLabel = "N", description = "catch-up: what the cold reader reads")
    private int catchUpMiB = 2_048;

    @Option(names = "--topics", paramLabel = "N", description = "controller: topics in the image")
    private int topics = 10_000;

    @Option(names = "--partitions-of-topic", paramLabel = "N", description = "controller: partitions of each topic")
    private int partitionsOfTopic = 10;

    @Option(names = "--changes", paramLabel = "N", description = "controller: changes that are followed to all nodes")
    private int changes = 200;

    @Option(names = "--heap", paramLabel = "SIZE", description = "largest heap of each node")
    private String heap = "512m";

    @Option(names = "--report", paramLabel = "FILE", description = "page whose generated block is replaced")
    private Path report = Path.of("docs/benchmarks-cluster.md");

    @Option(names = "--raw", paramLabel = "FILE", description = "raw figures as JSON")
    private Path raw = Path.of("bench/target/benchmarks-cluster.json");

    @Option(names = "--fresh", description = "forget what --raw has of earlier runs; else figures not taken now stay")
    private boolean fresh;

    private final List<String> arguments;
    private final Children children = new Children();
    private final Samples samples = new Samples();
    private final List<String> troubles = new ArrayList<>();
    private final long begin = System.nanoTime();

    private ClusterBench(List<String> arguments) {
        this.arguments = arguments;
    }

    /** Runs the command line. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ClusterBench(List.of(args))).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        Map<String, ClusterRow> rows = ClusterRow.all();
        for (String name : only) {
            if (!rows.containsKey(name)) {
                System.err.println("there is no row '" + name + "': " + String.join(", ", rows.keySet()));
                return 2;
            }
        }
        Path root = Path.of(System.getProperty("bench.root", ".")).toAbsolutePath();
        Path work = Files.createDirectories(root.resolve("bench/target/cluster-work")
                .resolve(Long.toString(ProcessHandle.current().pid())));
        children.endWithJvm(() -> Bench.delete(work));
        Path json = root.resolve(raw);
        RawFigures earlier = !fresh && Files.exists(json)
                ? RawFigures.parse(Files.readString(json))
                : new RawFigures(List.of(), List.of());
        ReportFiles files = new ReportFiles(root.resolve(report), json);
        Rig rig = new Rig(root, work, children, samples, plan());

        rows.keySet().removeIf(name -> !all && !only.isEmpty() && !only.contains(name));
        for (Map.Entry<String, ClusterRow> row : rows.entrySet()) {
            for (int round = 0; round < (row.getValue().once() ? 1 : rounds); round++) {
                rig.say("%s, round %d".formatted(row.getKey(), round + 1));
                try {
                    row.getValue().run(rig, round);
                } catch (RuntimeException | AssertionError e) {
                    e.printStackTrace();
                    troubles.add(row.getKey() + ": "
                            + String.valueOf(e.getMessage())
                                    .replace(root + "/", "")
                                    .lines()
                                    .findFirst()
                                    .orElse(""));
                }
                write(files, earlier, work);
            }
        }
        rig.say("written to " + report);
        return troubles.isEmpty() ? 0 : 1;
    }

    private ClusterPlan plan() {
        return new ClusterPlan(
                stores,
                rounds,
                partitions,
                manyPartitions,
                restartPartitions,
                moves,
                seconds,
                produceMiB,
                writers,
                nodeDeaths,
                catchUpMiB,
                topics,
                partitionsOfTopic,
                changes,
                heap);
    }

    private void write(ReportFiles files, RawFigures earlier, Path work) throws IOException {
        Samples both = new Samples();
        samples.all().forEach(both::add);
        both.addMissingTargets(earlier.samples());
        List<Run> runs = new ArrayList<>(earlier.runs());
        long minutes = (System.nanoTime() - begin) / 60_000_000_000L;
        runs.add(new Run(
                command(),
                System.getProperty("bench.commit", "unknown"),
                LocalDate.now(ZoneId.systemDefault()).toString(),
                minutes));
        Setting setting = new Setting(runs, Machine.here(work), ClusterMetrics.TARGETS, List.of(), troubles);
        files.write(setting, both, ClusterReport.render(setting, both));
    }

    private String command() {
        // A reader has other folders than this machine.
        return ("bin/bench cluster "
                        + arguments.stream()
                                .map(argument -> argument.startsWith("/") ? "PATH" : argument)
                                .collect(Collectors.joining(" ")))
                .trim();
    }
}
