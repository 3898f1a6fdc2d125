package io.forebay.server.cli.cluster;

import io.forebay.formats.control.ClusterStatus;
import io.forebay.server.cli.cluster.ClusterView.NodeState;
import io.forebay.server.cli.cluster.ClusterView.ShardState;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.Words;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says in a few lines how a cluster is. */
@Command(
        name = "status",
        description = {
            "Say in a few lines how the cluster is.",
            "The last line is 'all shards are served' when they are; what is wrong is said otherwise."
        })
final class ClusterStatusCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ControlOptions control = new ControlOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    ClusterStatusCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (ControlClient client = control.connect()) {
            ClusterView view = ClusterView.of(client.status());
            if (json) {
                console.out().println(Json.text(asJson(view)));
            } else {
                print(view, console.out());
            }
        }
        return ExitCode.DONE;
    }

    static void print(ClusterView view, PrintStream out) {
        ClusterStatus status = view.status();
        out.println("cluster     " + status.getClusterId());
        out.println("controller  node " + status.getControllerNode() + ", term " + status.getTerm());
        out.println("metadata    version " + status.getVersion() + ", feature level " + status.getLevel());
        out.println("topics      " + Words.count(status.getTopics(), "topic") + ", "
                + Words.count(status.getPartitions(), "partition"));
        List<String> nodes = new ArrayList<>();
        for (NodeState state : NodeState.values()) {
            if (view.count(state) > 0 || state == NodeState.UP) {
                nodes.add(view.count(state) + " " + state.word());
            }
        }
        out.println("nodes       " + String.join(", ", nodes));
        List<String> shards = new ArrayList<>();
        for (ShardState state : ShardState.values()) {
            if (view.count(state) > 0 || state == ShardState.OPEN) {
                shards.add(view.count(state) + " " + state.word());
            }
        }
        out.println("shards      " + String.join(", ", shards));
        long served = view.count(ShardState.OPEN) + view.count(ShardState.MOVING) + view.count(ShardState.EMPTY);
        out.println(
                served == view.shards().size()
                        ? "all shards are served"
                        : Words.count(view.shards().size() - served, "shard") + " not served");
    }

    static Map<String, Object> asJson(ClusterView view) {
        ClusterStatus status = view.status();
        Map<String, Object> nodes = new LinkedHashMap<>();
        for (NodeState state : NodeState.values()) {
            nodes.put(state.word(), view.count(state));
        }
        Map<String, Object> shards = new LinkedHashMap<>();
        for (ShardState state : ShardState.values()) {
            shards.put(state.word(), view.count(state));
        }
        return Json.object(
                "cluster",
                status.getClusterId(),
                "controller",
                status.getControllerNode(),
                "term",
                status.getTerm(),
                "version",
                status.getVersion(),
                "level",
                status.getLevel(),
                "topics",
                status.getTopics(),
                "partitions",
                status.getPartitions(),
                "nodes",
                nodes,
                "shards",
                shards);
    }
}
