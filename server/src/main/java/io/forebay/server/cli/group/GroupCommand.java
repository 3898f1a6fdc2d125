package io.forebay.server.cli.group;

import io.forebay.server.cli.terminal.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the commands about consumer groups. */
@Command(name = "group", description = "List, describe, reset and delete consumer groups.")
public final class GroupCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    /** The command with its own. */
    public static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new GroupCommand())
                .addSubcommand(new GroupListCommand(surroundings.console()))
                .addSubcommand(new GroupDescribeCommand(surroundings.console()))
                .addSubcommand(new GroupResetCommand(surroundings.console()))
                .addSubcommand(new GroupDeleteCommand(surroundings.console()));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
