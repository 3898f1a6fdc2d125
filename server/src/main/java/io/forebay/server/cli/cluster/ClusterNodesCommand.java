package io.forebay.server.cli.cluster;

import io.forebay.server.cli.cluster.ClusterView.NodeRow;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.TextTable;
import io.forebay.server.cli.terminal.Words;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the nodes of a cluster. */
@Command(
        name = "nodes",
        description = {
            "List the nodes: state, address for clients, number of shards, load, time since the controller heard of it.",
            "Load is in weighted bytes each second, as the nodes report it."
        })
final class ClusterNodesCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ControlOptions control = new ControlOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    ClusterNodesCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (ControlClient client = control.connect()) {
            ClusterView view = ClusterView.of(client.status());
            if (json) {
                console.out()
                        .println(Json.text(view.nodes().stream()
                                .map(ClusterNodesCommand::asJson)
                                .toList()));
            } else {
                print(view, console.out());
            }
        }
        return ExitCode.DONE;
    }

    static void print(ClusterView view, PrintStream out) {
        TextTable table = new TextTable(
                "node", "state", "address", "rack", "roles", "session", "user shards", "internal", "load", "heard");
        for (NodeRow node : view.nodes()) {
            table.row(
                    node.id(),
                    node.state().word() + (node.controller() ? ", controller" : ""),
                    node.address(),
                    node.rack().isEmpty() ? "-" : node.rack(),
                    node.roles().isEmpty() ? "-" : String.join(",", node.roles()),
                    node.session(),
                    node.userShards(),
                    node.internalShards(),
                    Words.bytes((double) node.load()) + "/s",
                    node.heardMs().map(ms -> ms + " ms").orElse("-"));
        }
        table.print(out);
    }

    private static Map<String, Object> asJson(NodeRow node) {
        return Json.object(
                "node",
                node.id(),
                "state",
                node.state().word(),
                "controller",
                node.controller(),
                "address",
                node.address(),
                "rack",
                node.rack(),
                "roles",
                node.roles(),
                "session",
                node.session(),
                "userShards",
                node.userShards(),
                "internalShards",
                node.internalShards(),
                "load",
                node.load(),
                "heardMs",
                node.heardMs());
    }
}
