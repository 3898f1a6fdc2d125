package io.forebay.server.cli.cluster;

import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Evens out the shards at once. */
@Command(
        name = "balance",
        description = {
            "Even out load and numbers of shards among the nodes now, however small the difference, and say how many"
                    + " shards will move. It is done all the time if the difference is large.",
            "Returns when the controller has planned it, which is before it is done: see 'cluster shards'."
        })
final class ClusterBalanceCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ControlOptions control = new ControlOptions();

    ClusterBalanceCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        int moving;
        try (ControlClient client = control.connect()) {
            moving = client.balance();
        }
        console.out()
                .println(
                        switch (moving) {
                            case 0 -> "the shards are even: none moves";
                            case 1 -> "1 shard moves";
                            default -> moving + " shards move, a part of them at a time";
                        });
        return ExitCode.DONE;
    }
}
