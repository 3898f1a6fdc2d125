package io.forebay.server.cli;

import io.forebay.server.cli.bench.BenchCommand;
import io.forebay.server.cli.group.GroupCommand;
import io.forebay.server.cli.records.ConsumeCommand;
import io.forebay.server.cli.records.ProduceCommand;
import io.forebay.server.cli.store.StoreCommand;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.cli.topic.TopicCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Puts all commands together. */
public final class CommandTree {
    private CommandTree() {}

    /**
     * The whole command line, ready to {@code execute}; make a new one for each call.
     *
     * @param starter brings up the node for {@code start}
     */
    public static CommandLine commandLine(Surroundings surroundings, NodeStarter starter) {
        Console console = surroundings.console();
        CommandLine root = new CommandLine(new ForebayCommand())
                .addSubcommand(new StartCommand(surroundings, starter))
                .addSubcommand(TopicCommand.commandLine(surroundings))
                .addSubcommand(StoreCommand.commandLine(surroundings))
                .addSubcommand(new ProduceCommand(surroundings))
                .addSubcommand(new ConsumeCommand(surroundings))
                .addSubcommand(GroupCommand.commandLine(surroundings))
                .addSubcommand(BenchCommand.commandLine(surroundings));
        root.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        root.setColorScheme(CommandLine.Help.defaultColorScheme(console.progress() ? Ansi.AUTO : Ansi.OFF));
        root.setParameterExceptionHandler(new UsageMessages());
        root.setExecutionExceptionHandler(new FailureMessages(console));
        root.setExecutionStrategy(parsed -> {
            LogOutput.configureClient(
                    ForebayCommand.isVerbose(parsed.commandSpec().commandLine()));
            int exitCode = new CommandLine.RunLast().execute(parsed);
            console.out().flush();
            return exitCode;
        });
        return root;
    }
}
