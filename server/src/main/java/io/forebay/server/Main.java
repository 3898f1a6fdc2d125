package io.forebay.server;

import io.forebay.server.cli.CommandTree;
import io.forebay.server.cli.LogOutput;
import io.forebay.server.cli.NodeStarter;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.node.Node;
import io.forebay.server.node.Preload;
import java.util.Arrays;

/** Entry point of {@code bin/forebay}: wires the command line to the node and ends with the command's exit code. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("start") && !isForOthers(args)) {
            if (LogOutput.configureEarly(args)) {
                Preload.begin();
            }
        }
        ProcessStopSignal stopSignal = new ProcessStopSignal();
        Surroundings surroundings = new Surroundings(Console.ofProcess(), new SystemClock(), stopSignal);
        int exitCode =
                CommandTree.commandLine(surroundings, nodeStarter(), args).execute(args);
        stopSignal.commandEnded();
        System.exit(exitCode);
    }

    /** Whether this process only starts others, which load what they need. */
    private static boolean isForOthers(String... args) {
        return Arrays.stream(args).anyMatch(arg -> arg.startsWith("--dev-cluster"));
    }

    private static NodeStarter nodeStarter() {
        return config -> {
            Preload.begin();
            return Node.start(config, new SystemClock());
        };
    }
}
