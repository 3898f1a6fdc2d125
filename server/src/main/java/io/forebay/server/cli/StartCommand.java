package io.forebay.server.cli;

import io.forebay.server.cli.dev.DevCluster;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.StopSignal;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.config.ConfigEntry;
import io.forebay.server.config.ConfigPages;
import io.forebay.server.config.ConfigReading;
import io.forebay.server.config.ConfigText;
import io.forebay.server.config.ForebayConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a node in the foreground until it is told to stop. */
@Command(
        name = "start",
        description = {
            "Start a node and serve until SIGTERM or Ctrl-C.",
            "Prints one line, 'forebay ready on HOST:PORT', when clients can connect; the log goes to standard error."
        })
final class StartCommand implements Callable<Integer> {
    private final Surroundings surroundings;
    private final Console console;
    private final NodeStarter starter;
    private final StopSignal stopSignal;

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "Folder or URI (file:, hdfs:, s3:) of the store (default: ./forebay-data). Same as --set"
                    + " store=URI.")
    Optional<String> store = Optional.empty();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address for Kafka clients (default: 127.0.0.1:9092). Same as --set listen=HOST:PORT.")
    Optional<String> listen = Optional.empty();

    @Option(names = "--config", paramLabel = "FILE", description = "Configuration file, see conf/forebay.properties.")
    Optional<Path> configFile = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "key=value",
            description = "One setting; wins over the file. May be given several times.")
    List<String> sets = new ArrayList<>();

    @Option(
            names = "--dev-cluster",
            paramLabel = "N",
            description = {
                "Start a cluster of N nodes on this machine, to try things: one process each, on ports from that of"
                        + " --listen on, over one store that is deleted at the end unless --store names it.",
                "Their log lines begin with the number of the node; their control ports are the first port + 4 and"
                        + " above (9096)."
            })
    Optional<Integer> devCluster = Optional.empty();

    @Option(names = "--until-stdin-ends", hidden = true, description = "Stop when standard input ends.")
    boolean untilStdinEnds;

    @Option(names = "--help-config", description = "List all settings with defaults and ranges, and exit.")
    boolean helpConfig;

    StartCommand(Surroundings surroundings, NodeStarter starter) {
        this.surroundings = surroundings;
        this.console = surroundings.console();
        this.starter = starter;
        this.stopSignal = surroundings.stopSignal();
    }

    @Override
    public Integer call() throws InterruptedException {
        if (helpConfig) {
            console.out().print(ConfigPages.help());
            return ExitCode.DONE;
        }
        ConfigReading reading = ForebayConfig.read(configFile.map(StartCommand::readFile), allSets());
        if (!(reading instanceof ConfigReading.Valid valid)) {
            return refuse((ConfigReading.Refused) reading);
        }
        return devCluster.isPresent()
                ? new DevCluster(surroundings).run(devCluster.get(), options(), valid.config())
                : serve(valid.config());
    }

    private int serve(ForebayConfig config) throws InterruptedException {
        LogOutput.configure(config.logging());
        logWhatWasSet(config);
        RunningNode node;
        try {
            node = starter.start(config);
        } catch (NodeStartException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
        }
        stopSignal.onStop(() -> {
            Logger log = LoggerFactory.getLogger(StartCommand.class);
            log.info("stopping (signal)");
            node.stop();
            log.info("stopped");
        });
        if (untilStdinEnds) {
            stopWithStandardInput(node);
        }
        console.out().println("forebay ready on " + node.listening());
        console.out().flush();
        Optional<String> failure = node.awaitEnd();
        failure.ifPresent(reason -> console.err().println("forebay: " + reason));
        return failure.isPresent() ? ExitCode.FAILED : ExitCode.DONE;
    }

    /** For a node that is to end with the process that started it, however that ends. */
    private void stopWithStandardInput(RunningNode node) {
        Thread reader = new Thread(
                () -> {
                    try {
                        while (console.in().read() >= 0) {
                            // nothing is expected
                        }
                    } catch (IOException e) {
                        // closed
                    }
                    node.stop();
                },
                "standard-input");
        reader.setDaemon(true);
        reader.start();
    }

    /** The logger is made here and not before: by now the log is set up. */
    private static void logWhatWasSet(ForebayConfig config) {
        Logger log = LoggerFactory.getLogger(StartCommand.class);
        log.info(
                "forebay {} starts node {} on {}",
                VersionText.number(),
                config.node().id(),
                config.store().location());
        config.entries().stream()
                .filter(entry -> entry.source() != ConfigEntry.Source.DEFAULT)
                .forEach(entry -> log.info("{} = {} ({})", entry.key(), entry.value(), entry.source()));
    }

    private int refuse(ConfigReading.Refused refused) {
        refused.problems().forEach(problem -> console.err().println("forebay: " + problem));
        return ExitCode.USAGE;
    }

    private List<String> allSets() {
        List<String> all = new ArrayList<>(sets);
        store.ifPresent(value -> all.add("store=" + value));
        listen.ifPresent(value -> all.add("listen=" + value));
        return all;
    }

    /** The options again, as another process would be given them. */
    private List<String> options() {
        List<String> all = new ArrayList<>();
        configFile.ifPresent(file -> all.addAll(List.of("--config", file.toString())));
        sets.forEach(set -> all.addAll(List.of("--set", set)));
        return all;
    }

    private static ConfigText readFile(Path file) {
        try {
            return new ConfigText(file.toString(), Files.readAllLines(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw CommandFailure.usage("configuration file '" + file + "' does not exist");
        } catch (IOException e) {
            throw CommandFailure.failed("cannot read configuration file '" + file + "': " + e.getMessage(), e);
        }
    }
}
