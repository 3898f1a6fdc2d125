package io.forebay.bench;

import io.forebay.bench.machine.Machine;
import io.forebay.bench.report.RawFigures;
import io.forebay.bench.report.ReportFiles;
import io.forebay.bench.report.Run;
import io.forebay.bench.report.Samples;
import io.forebay.bench.report.Setting;
import io.forebay.bench.row.Bench;
import io.forebay.bench.row.Plan;
import io.forebay.bench.row.Profiler;
import io.forebay.bench.row.Row;
import io.forebay.bench.row.RowName;
import io.forebay.bench.target.Children;
import io.forebay.bench.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs rows of the benchmark and writes the report after each of them. Started by bin/bench. */
@Command(
        name = "bin/bench",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        description = "Puts the same load on Apache Kafka and on Forebay, in turns, and writes down how they compare.")
public final class SideBySide implements Callable<Integer> {
    private static final String ALL_TARGETS = "kafka,os,always";

    @Option(names = "--only", split = ",", paramLabel = "ROW", description = "rows to run: ${COMPLETION-CANDIDATES}")
    private Set<RowName> only = EnumSet.allOf(RowName.class);

    @Option(
            names = "--targets",
            split = ",",
            paramLabel = "TARGET",
            defaultValue = ALL_TARGETS,
            description = "systems: kafka, os and always (Forebay by its sync setting), kafka2 (Kafka again)")
    private List<String> targets = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "rounds of every row but latency")
    private int rounds = 3;

    @Option(names = "--records", paramLabel = "N", description = "records of 1 KiB in one produce or consume load")
    private long records = 1 << 20;

    @Option(names = "--warm-records", paramLabel = "N", description = "records through each server before it counts")
    private long warmRecords = 3 << 20;

    @Option(names = "--many-records", paramLabel = "N", description = "records spread over 2,048 partitions")
    private long manyRecords = 500_000;

    @Option(names = "--fill-records", paramLabel = "N", description = "records written before a kill or a start")
    private long fillRecords = 512_000;

    @Option(names = "--tail-seconds", paramLabel = "N", description = "length of one load with a consumer at the tail")
    private int tailSeconds = 15;

    @Option(names = "--slice-seconds", paramLabel = "N", description = "length of one latency slice")
    private int sliceSeconds = 20;

    @Option(names = "--pairs", paramLabel = "N", description = "latency slices of each system, rate and linger")
    private int pairs = 6;

    @Option(names = "--idle-seconds", paramLabel = "N", description = "how long idle servers settle, then are watched")
    private int idleSeconds = 30;

    @Option(names = "--heap", paramLabel = "SIZE", description = "largest heap of each server")
    private String heap = "1g";

    @Option(
            names = "--kafka-port",
            paramLabel = "PORT",
            description = "port of Kafka; its controller uses the one 100 above, a second Kafka the ones after")
    private int kafkaPort = 19492;

    @Option(
            names = "--forebay-port",
            paramLabel = "PORT",
            description = "port of Forebay os; always uses the one after")
    private int forebayPort = 9492;

    @Option(names = "--work", paramLabel = "DIR", description = "folder for data, deleted afterwards")
    private Path work = Path.of("bench/target/work");

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "page to write (default: docs/benchmarks.md for a whole run, else bench/target/benchmarks.md)")
    private @Nullable Path report;

    @Option(names = "--raw", paramLabel = "FILE", description = "raw figures as JSON")
    private Path raw = Path.of("bench/target/benchmarks.json");

    @Option(names = "--keep", description = "keep what --raw has of other rows, and report both")
    private boolean keep;

    @Option(names = "--profile", paramLabel = "DIR", description = "CPU profiles of each load's last round go here")
    private @Nullable Path profile;

    private final List<String> arguments;
    private final Children children = new Children();

    private SideBySide(List<String> arguments) {
        this.arguments = arguments;
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new SideBySide(List.of(args)))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws IOException {
        Path root = Path.of(System.getProperty("bench.root", ".")).toAbsolutePath();
        Path folder = Files.createDirectories(root.resolve(work))
                .resolve(Long.toString(ProcessHandle.current().pid()));
        Files.createDirectories(folder);
        children.endWithJvm(() -> Bench.delete(folder));
        Map<String, Target> chosen = new TargetChoice(children, root, heap, kafkaPort, forebayPort).of(targets);
        Samples samples = new Samples();
        Optional<RawFigures> earlier = keep && Files.exists(root.resolve(raw))
                ? Optional.of(RawFigures.parse(Files.readString(root.resolve(raw))))
                : Optional.empty();
        List<String> troubles = new ArrayList<>();
        Path page = report != null ? report : Path.of(whole() ? "docs/benchmarks.md" : "bench/target/benchmarks.md");
        ReportFiles files = new ReportFiles(root.resolve(page), root.resolve(raw));
        Optional<Profiler> profiler =
                profile == null ? Optional.empty() : Optional.of(new Profiler(root.resolve(profile)));
        String date = LocalDate.now(ZoneId.systemDefault()).toString();
        long begin = System.nanoTime();

        List<Target> all = List.copyOf(chosen.values());
        try (Bench bench = new Bench(plan(), all, folder, children, samples, profiler)) {
            for (Row row : Row.of(plan())) {
                try {
                    row.run(bench);
                } catch (RuntimeException e) {
                    e.printStackTrace();
                    troubles.add(
                            row.name() + ": " + String.valueOf(e.getMessage()).replace(root + "/", ""));
                }
                long minutes = (System.nanoTime() - begin) / 60_000_000_000L;
                Samples both = new Samples();
                both.addMissing(samples.all());
                earlier.ifPresent(figures -> both.addMissing(figures.samples()));
                List<Run> runs = new ArrayList<>(earlier.map(RawFigures::runs).orElse(List.of()));
                runs.add(run(date, minutes));
                files.write(setting(chosen, folder, runs, troubles), both);
                bench.say("%s: written to %s".formatted(row.name(), page));
            }
        }
        return troubles.isEmpty() ? 0 : 1;
    }

    private boolean whole() {
        return only.size() == RowName.values().length
                && String.join(",", targets).equals(ALL_TARGETS);
    }

    private Plan plan() {
        return new Plan(
                only,
                rounds,
                records,
                warmRecords,
                manyRecords,
                fillRecords,
                tailSeconds,
                sliceSeconds,
                pairs,
                idleSeconds);
    }

    private Run run(String date, long minutes) {
        // A reader has other folders than this machine.
        String command = "bin/bench "
                + arguments.stream()
                        .map(argument -> argument.startsWith("/") ? "PATH" : argument)
                        .collect(Collectors.joining(" "));
        String profiled = profile == null ? "" : " (profiled in its last rounds)";
        return new Run(command.trim() + profiled, System.getProperty("bench.commit", "unknown"), date, minutes);
    }

    private static Setting setting(Map<String, Target> chosen, Path folder, List<Run> runs, List<String> troubles) {
        Map<String, String> labels = new LinkedHashMap<>();
        chosen.forEach((id, target) -> labels.put(id, target.label()));
        return new Setting(
                runs,
                Machine.here(folder),
                labels,
                chosen.values().stream().map(Target::flags).toList(),
                troubles);
    }
}
