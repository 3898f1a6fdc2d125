package io.forebay.server.cli.cluster;

import io.forebay.formats.control.NodeHealth;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks one node how it is. */
@Command(
        name = "health",
        description = {
            "Ask the node at --control how it is: whether the store and a controller answer it, and what it has open.",
            "Other nodes are not asked. Exit code 1 if something is wrong."
        })
final class ClusterHealthCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ControlOptions control = new ControlOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    ClusterHealthCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        HealthView view;
        try (ControlClient client = control.connect()) {
            view = HealthView.of(client.health());
        }
        if (json) {
            console.out().println(Json.text(asJson(view)));
        } else {
            print(view, console.out());
        }
        return view.isWell() ? ExitCode.DONE : ExitCode.FAILED;
    }

    static void print(HealthView view, PrintStream out) {
        NodeHealth health = view.health();
        out.println("node        " + health.getNodeId());
        out.println("session     " + (health.getSession() < 0 ? "none" : health.getSession()));
        if (health.getOwnsShards()) {
            out.println("store       "
                    + (health.getProofAgeMs() < 0 ? "not yet" : "answered " + health.getProofAgeMs() + " ms ago"));
            out.println("shards      " + health.getOwnedShards() + " owned, " + health.getOpenShards() + " open");
        }
        out.println("controller  "
                + (health.getControllerHeardMs() < 0
                        ? "unknown"
                        : "node " + health.getControllerNode() + ", answered " + health.getControllerHeardMs()
                                + " ms ago"));
        if (view.isWell()) {
            out.println("this node is well");
        } else {
            view.problems().forEach(problem -> out.println("wrong: " + problem));
        }
    }

    private static Map<String, Object> asJson(HealthView view) {
        NodeHealth health = view.health();
        return Json.object(
                "node",
                health.getNodeId(),
                "well",
                view.isWell(),
                "problems",
                view.problems(),
                "session",
                health.getSession(),
                "storeAnsweredMs",
                health.getProofAgeMs(),
                "controllerNode",
                health.getControllerNode(),
                "controllerAnsweredMs",
                health.getControllerHeardMs(),
                "ownedShards",
                health.getOwnedShards(),
                "openShards",
                health.getOpenShards());
    }
}
