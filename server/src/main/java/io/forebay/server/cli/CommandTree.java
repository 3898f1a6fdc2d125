package io.forebay.server.cli;

import io.forebay.server.cli.bench.BenchCommand;
import io.forebay.server.cli.cluster.ClusterCommand;
import io.forebay.server.cli.group.GroupCommand;
import io.forebay.server.cli.records.ConsumeCommand;
import io.forebay.server.cli.records.ProduceCommand;
import io.forebay.server.cli.store.StoreCommand;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.cli.topic.TopicCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Puts all commands together. */
public final class CommandTree {
    private static final String START = "start";

    private CommandTree() {}

    /**
     * The command line for these arguments, ready to {@code execute}; make a new one for each call. It knows all commands unless the arguments
     * begin with the name of one: making the others would cost every start of a node a fifth of a second.
     *
     * @param starter brings up the node for {@code start}
     */
    public static CommandLine commandLine(Surroundings surroundings, NodeStarter starter, String... args) {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put(START, () -> new StartCommand(surroundings, starter));
        commands.put("topic", () -> TopicCommand.commandLine(surroundings));
        commands.put("cluster", () -> ClusterCommand.commandLine(surroundings));
        commands.put("store", () -> StoreCommand.commandLine(surroundings));
        commands.put("produce", () -> new ProduceCommand(surroundings));
        commands.put("consume", () -> new ConsumeCommand(surroundings));
        commands.put("group", () -> GroupCommand.commandLine(surroundings));
        commands.put("bench", () -> BenchCommand.commandLine(surroundings));
        if (args.length > 0 && commands.containsKey(args[0])) {
            commands.keySet().retainAll(Set.of(args[0]));
        }
        Console console = surroundings.console();
        CommandLine root = new CommandLine(new ForebayCommand());
        commands.forEach((name, command) -> root.addSubcommand(name, command.get()));
        root.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        root.setColorScheme(CommandLine.Help.defaultColorScheme(console.progress() ? Ansi.AUTO : Ansi.OFF));
        root.setParameterExceptionHandler(new UsageMessages());
        root.setExecutionExceptionHandler(new FailureMessages(console));
        root.setExecutionStrategy(parsed -> {
            if (!parsed.hasSubcommand()
                    || !parsed.subcommand().commandSpec().name().equals(START)) { // which sets up its own log
                LogOutput.configureClient(
                        ForebayCommand.isVerbose(parsed.commandSpec().commandLine()));
            }
            int exitCode = new CommandLine.RunLast().execute(parsed);
            console.out().flush();
            return exitCode;
        });
        return root;
    }
}
