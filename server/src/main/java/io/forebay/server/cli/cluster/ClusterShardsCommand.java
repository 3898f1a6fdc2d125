package io.forebay.server.cli.cluster;

import io.forebay.server.cli.cluster.ClusterView.ShardRow;
import io.forebay.server.cli.cluster.ClusterView.ShardState;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.TextTable;
import io.forebay.server.cli.terminal.Words;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the shards of a cluster. */
@Command(name = "shards", description = "List the shards: owner, epoch, state, load.")
final class ClusterShardsCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ControlOptions control = new ControlOptions();

    @Option(names = "--node", paramLabel = "ID", description = "Only shards that this node owns.")
    Optional<Integer> node = Optional.empty();

    @Option(names = "--not-open", description = "Only shards that are not simply served by their owner.")
    boolean notOpen;

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    ClusterShardsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (ControlClient client = control.connect()) {
            List<ShardRow> rows = ClusterView.of(client.status()).shards().stream()
                    .filter(shard -> node.isEmpty() || shard.owner().equals(node))
                    .filter(shard ->
                            !notOpen || (shard.state() != ShardState.OPEN && shard.state() != ShardState.EMPTY))
                    .toList();
            if (json) {
                console.out()
                        .println(Json.text(
                                rows.stream().map(ClusterShardsCommand::asJson).toList()));
            } else {
                print(rows, console.out());
            }
        }
        return ExitCode.DONE;
    }

    static void print(List<ShardRow> rows, PrintStream out) {
        TextTable table = new TextTable("shard", "node", "epoch", "partitions", "state", "load");
        for (ShardRow shard : rows) {
            table.row(
                    shard.id(),
                    shard.owner().map(String::valueOf).orElse("-"),
                    shard.epoch() < 0 ? "-" : shard.epoch(),
                    shard.partitions(),
                    shard.state().word()
                            + shard.movesTo().map(to -> " to node " + to).orElse(""),
                    Words.bytes((double) shard.load()) + "/s");
        }
        table.print(out);
    }

    private static Map<String, Object> asJson(ShardRow shard) {
        return Json.object(
                "shard",
                shard.id(),
                "node",
                shard.owner(),
                "epoch",
                shard.epoch(),
                "partitions",
                shard.partitions(),
                "state",
                shard.state().word(),
                "movesTo",
                shard.movesTo(),
                "load",
                shard.load());
    }
}
