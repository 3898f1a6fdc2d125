package io.forebay.server.cli.cluster;

import io.forebay.formats.control.BalanceCommand;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Evens out the shards at once. */
@Command(
        name = "balance",
        description = "Even out the shards among the nodes now. The controller also does it by itself.")
final class ClusterBalanceCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ControlOptions control = new ControlOptions();

    ClusterBalanceCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (ControlClient client = control.connect()) {
            client.steer(ClusterCommand.newBuilder().setBalance(BalanceCommand.getDefaultInstance()));
        }
        console.out().println("the controller evens out the shards");
        return ExitCode.DONE;
    }
}
