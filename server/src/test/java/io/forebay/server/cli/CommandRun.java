package io.forebay.server.cli;

import io.forebay.server.SystemClock;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.StopSignal;
import io.forebay.server.cli.terminal.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** One call of the command line with its own streams. */
record CommandRun(int exitCode, String out, String err) {

    static CommandRun of(String... args) {
        return with(
                config -> {
                    throw new NodeStartException("no node here");
                },
                stop -> {},
                "",
                args);
    }

    static CommandRun with(NodeStarter starter, StopSignal signal, String input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = Console.of(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        int exitCode = CommandTree.commandLine(new Surroundings(console, new SystemClock(), signal), starter)
                .execute(args);
        return new CommandRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
