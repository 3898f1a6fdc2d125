package io.forebay.server.cli;

import io.forebay.server.cli.bench.BenchCommand;
import io.forebay.server.cli.records.ConsumeCommand;
import io.forebay.server.cli.records.ProduceCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Puts all commands together. */
public final class CommandTree {
    private CommandTree() {}

    /** The whole command line, ready to {@code execute}; make a new one for each call. */
    public static CommandLine commandLine(Surroundings surroundings) {
        Console console = surroundings.console();
        CommandLine root = new CommandLine(new ForebayCommand())
                .addSubcommand(new StartCommand(surroundings))
                .addSubcommand(new CommandLine(new TopicCommand())
                        .addSubcommand(new TopicCreateCommand(console))
                        .addSubcommand(new TopicListCommand(console))
                        .addSubcommand(new TopicDescribeCommand(console))
                        .addSubcommand(new TopicAlterCommand(console))
                        .addSubcommand(new TopicDeleteCommand(console)))
                .addSubcommand(new ProduceCommand(surroundings))
                .addSubcommand(new ConsumeCommand(surroundings))
                .addSubcommand(new CommandLine(new GroupCommand())
                        .addSubcommand(new GroupListCommand(console))
                        .addSubcommand(new GroupDescribeCommand(console))
                        .addSubcommand(new GroupResetCommand(surroundings))
                        .addSubcommand(new GroupDeleteCommand(console)))
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
