package io.forebay.server.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Puts all commands together. */
public final class CommandTree {
    private CommandTree() {}

    /** The whole command line, ready to {@code execute}; it can be used several times, one after the other. */
    public static CommandLine commandLine(Console console, NodeStarter starter, StopSignal stopSignal) {
        CommandLine root = new CommandLine(new ForebayCommand());
        root.addSubcommand(new StartCommand(console, starter, stopSignal));
        root.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        root.setColorScheme(CommandLine.Help.defaultColorScheme(console.progress() ? Ansi.AUTO : Ansi.OFF));
        root.setParameterExceptionHandler(new UsageMessages());
        root.setExecutionExceptionHandler(new FailureMessages(console));
        root.setExecutionStrategy(parsed -> {
            int exitCode = new CommandLine.RunLast().execute(parsed);
            console.out().flush();
            return exitCode;
        });
        return root;
    }
}
