package io.forebay.server.cli.cluster;

import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.DrainNodeCommand;
import io.forebay.model.Clock;
import io.forebay.server.cli.cluster.ClusterView.NodeRow;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Words;
import io.forebay.server.config.TimeSpan;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes all shards from a node. */
@Command(
        name = "drain",
        description = {
            "Take all shards from a node and give it none until 'cluster undrain'. The node goes on running.",
            "To stop a node this is not needed: SIGTERM drains it first."
        })
final class ClusterDrainCommand implements Callable<Integer> {
    private final Console console;
    private final Clock clock;

    @Mixin
    ControlOptions control = new ControlOptions();

    @Parameters(paramLabel = "ID", description = "Number of the node (node.id).")
    int node;

    @Option(names = "--wait", description = "Return when the node has no shards left.")
    boolean await;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "How long to wait (default: ${DEFAULT-VALUE}).")
    String timeout = "60s";

    ClusterDrainCommand(Console console, Clock clock) {
        this.console = console;
        this.clock = clock;
    }

    @Override
    public Integer call() {
        long timeoutMs = TimeSpan.parse(timeout)
                .orElseThrow(() ->
                        CommandFailure.usage("bad value '" + timeout + "' for --timeout: expected a time such as 60s"));
        try (ControlClient client = control.connect()) {
            client.steer(drain(node, true));
            if (await) {
                awaitDrained(client, timeoutMs);
            }
        }
        console.out().println("node " + node + (await ? " has no shards" : " gives its shards away"));
        return ExitCode.DONE;
    }

    private void awaitDrained(ControlClient client, long timeoutMs) {
        long begin = clock.nanos();
        while (true) {
            int left = ClusterView.of(client.status()).nodes().stream()
                    .filter(row -> row.id() == node)
                    .mapToInt(ClusterDrainCommand::shards)
                    .sum();
            if (left == 0) {
                return;
            }
            if (clock.nanos() - begin > timeoutMs * 1_000_000) {
                throw CommandFailure.failed(Words.count(left, "shard") + " still on node " + node + " after "
                        + TimeSpan.format(timeoutMs) + ": is there another node that may have them?");
            }
            ControlClient.pause();
        }
    }

    private static int shards(NodeRow row) {
        return row.userShards() + row.internalShards();
    }

    static ClusterCommand.Builder drain(int node, boolean drain) {
        return ClusterCommand.newBuilder()
                .setDrainNode(DrainNodeCommand.newBuilder().setNodeId(node).setDrain(drain));
    }
}
