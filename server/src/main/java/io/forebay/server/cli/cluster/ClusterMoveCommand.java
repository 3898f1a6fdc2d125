package io.forebay.server.cli.cluster;

import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.MoveShardCommand;
import io.forebay.model.ShardId;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves shards to a node. */
@Command(
        name = "move",
        description = {
            "Move shards to a node. Returns when the controller has planned it, which is before it is done: see"
                    + " 'cluster shards'.",
            "Balancing may move them again later."
        })
final class ClusterMoveCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ControlOptions control = new ControlOptions();

    @Parameters(paramLabel = "SHARD", arity = "1..*", description = "Names such as user-17 or internal-0.")
    List<String> shards = new ArrayList<>();

    @Option(names = "--to", paramLabel = "ID", required = true, description = "Node that should own them.")
    int to;

    ClusterMoveCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        List<ShardId> named = shards.stream().map(ShardNames::parse).toList();
        try (ControlClient client = control.connect()) {
            for (ShardId shard : named) {
                client.steer(ClusterCommand.newBuilder()
                        .setMoveShard(MoveShardCommand.newBuilder()
                                .setShard(shard.value())
                                .setToNode(to)));
                console.out().println("shard " + shard + " goes to node " + to);
            }
        }
        return ExitCode.DONE;
    }
}
