package io.forebay.server.cli.topic;

import io.forebay.server.cli.terminal.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the commands about topics. */
@Command(name = "topic", description = "Create, list, describe, alter and delete topics.")
public final class TopicCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    /** The command with its own. */
    public static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new TopicCommand())
                .addSubcommand(new TopicCreateCommand(surroundings.console()))
                .addSubcommand(new TopicListCommand(surroundings.console()))
                .addSubcommand(new TopicDescribeCommand(surroundings.console()))
                .addSubcommand(new TopicAlterCommand(surroundings.console()))
                .addSubcommand(new TopicDeleteCommand(surroundings.console()));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
