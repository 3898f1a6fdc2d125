package io.forebay.conformance.chaos;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code bin/chaos} runs. */
@Command(
        name = "bin/chaos",
        description =
                "Breaks nodes and store at random while producers and consumers run, and checks that nothing was lost.",
        sortOptions = false)
final class ChaosMain implements Callable<Integer> {

    @Option(names = "--minutes", defaultValue = "5", description = "how long things break (default: ${DEFAULT-VALUE})")
    double minutes;

    @Option(names = "--store", defaultValue = "folder", description = "folder, hdfs or s3 (default: ${DEFAULT-VALUE})")
    String store = "";

    @Option(names = "--nodes", defaultValue = "1", description = "number of nodes (default: ${DEFAULT-VALUE})")
    int nodes;

    @Option(names = "--seed", description = "decides which faults come in which order (default: a fresh one)")
    long seed = ThreadLocalRandom.current().nextLong(1, 1_000_000_000);

    @Option(names = "--skip-leaks", description = "do not wait until everything is gone that nobody needs any more")
    boolean skipLeaks;

    @Option(names = "--help", usageHelp = true, description = "this text")
    boolean help;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ChaosMain()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        Duration time = Duration.ofMillis(Math.round(minutes * 60_000));
        ChaosReport report = new ChaosRun(store, nodes, time, seed, !skipLeaks).run(System.out);
        if (report.findings().isEmpty()) {
            return 0;
        }
        System.out.println(report.findings().examples());
        System.out.println("logs: conformance/target/chaos/logs; again: bin/chaos --minutes " + minutes + " --store "
                + store + " --nodes " + nodes + " --seed " + seed);
        return 1;
    }
}
