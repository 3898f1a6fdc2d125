package io.forebay.server.cli.cluster;

import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets a node have shards again. */
@Command(name = "undrain", description = "Let a drained node have shards again.")
final class ClusterUndrainCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ControlOptions control = new ControlOptions();

    @Parameters(paramLabel = "ID", description = "Number of the node (node.id).")
    int node;

    ClusterUndrainCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (ControlClient client = control.connect()) {
            client.steer(ClusterDrainCommand.drain(node, false));
        }
        console.out().println("node " + node + " gets shards again");
        return ExitCode.DONE;
    }
}
