package io.forebay.server.cli.cluster;

import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the commands about a cluster. */
@Command(name = "cluster", description = "Show and steer a cluster: nodes, shards and who owns them.")
public final class ClusterCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    /** The command with its own. */
    public static CommandLine commandLine(Surroundings surroundings) {
        Console console = surroundings.console();
        return new CommandLine(new ClusterCommand())
                .addSubcommand(new ClusterStatusCommand(console))
                .addSubcommand(new ClusterHealthCommand(console))
                .addSubcommand(new ClusterNodesCommand(console))
                .addSubcommand(new ClusterShardsCommand(console))
                .addSubcommand(new ClusterMoveCommand(console))
                .addSubcommand(new ClusterDrainCommand(console, surroundings.clock()))
                .addSubcommand(new ClusterUndrainCommand(console))
                .addSubcommand(new ClusterBalanceCommand(console));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}
