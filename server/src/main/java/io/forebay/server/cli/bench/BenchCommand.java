package io.forebay.server.cli.bench;

import io.forebay.server.cli.terminal.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the load commands. */
@Command(name = "bench", description = "Put load on a broker and measure it.")
public final class BenchCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    /** The command with its own. */
    public static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new BenchCommand())
                .addSubcommand(new BenchProduceCommand(surroundings))
                .addSubcommand(new BenchConsumeCommand(surroundings))
                .addSubcommand(new BenchEndToEndCommand(surroundings));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
