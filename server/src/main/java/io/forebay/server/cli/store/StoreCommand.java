package io.forebay.server.cli.store;

import io.forebay.server.cli.terminal.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the commands about stores. */
@Command(name = "store", description = "Look into a store.")
public final class StoreCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    /** The command with its own. */
    public static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new StoreCommand()).addSubcommand(new StoreInspectCommand(surroundings));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
