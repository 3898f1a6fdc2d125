package io.forebay.server.cli.dev;

import io.forebay.server.cli.dev.DevPlan.DevNode;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.StopSignal;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.config.ConfigEntry;
import io.forebay.server.config.ForebayConfig;
import io.forebay.server.config.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** A throw-away cluster while it runs. */
public final class DevCluster {

    private static final int MOST_NODES = 9;
    private static final int LAST_FIRST_PORT = 65_535 - 2 * MOST_NODES;

    private final Console console;
    private final StopSignal stopSignal;
    private final List<String> java;
    private final List<DevProcess> processes = new ArrayList<>();
    private boolean stopping;

    public DevCluster(Surroundings surroundings) {
        this(surroundings, JavaCommand.ofThisProcess());
    }

    /** @param java the command that a node's arguments are put behind */
    DevCluster(Surroundings surroundings, List<String> java) {
        this.console = surroundings.console();
        this.stopSignal = surroundings.stopSignal();
        this.java = List.copyOf(java);
    }

    /**
     * Runs the cluster until it is told to stop, or all nodes have ended.
     *
     * @param given the user's own options of {@code start}
     * @param config what comes of them
     * @return the exit code
     */
    public int run(int count, List<String> given, ForebayConfig config) throws InterruptedException {
        if (count < 1 || count > MOST_NODES) {
            throw CommandFailure.usage(
                    "bad value '" + count + "' for --dev-cluster: expected a number from 1 to " + MOST_NODES);
        }
        requireLoopback(config.network().listen());
        boolean temporary = config.entries().stream()
                .anyMatch(entry -> entry.key().equals("store") && entry.source() == ConfigEntry.Source.DEFAULT);
        String store = temporary
                ? temporaryFolder().toString()
                : config.store().location().toString();
        try {
            DevPlan plan = DevPlan.of(count, given, config, store, DevCluster::freePort);
            stopSignal.onStop(() -> {
                stop();
                if (temporary) {
                    delete(Path.of(store));
                }
            });
            return run(plan, store);
        } finally {
            stop();
            if (temporary) {
                delete(Path.of(store));
            }
        }
    }

    private int run(DevPlan plan, String store) throws InterruptedException {
        // The first one makes the cluster; the others find it.
        begin(plan.nodes().get(0));
        awaitReady();
        plan.nodes().stream().skip(1).forEach(this::begin);
        awaitReady();
        console.err()
                .println("forebay: " + plan.nodes().size() + " nodes on store " + store + "; control ports "
                        + String.join(
                                ", ",
                                plan.nodes().stream()
                                        .map(node -> node.control().toString())
                                        .toList()));
        console.out().println("forebay ready on " + plan.bootstrap());
        console.out().flush();
        for (DevProcess process : started()) {
            process.awaitEnd();
        }
        return ExitCode.DONE;
    }

    private synchronized void begin(DevNode node) {
        if (stopping) {
            return;
        }
        List<String> command = new ArrayList<>(java);
        command.add("start");
        command.add("--until-stdin-ends");
        command.addAll(node.arguments());
        try {
            processes.add(DevProcess.start(node.id(), command, console.err()));
        } catch (IOException e) {
            throw CommandFailure.failed("cannot start node " + node.id() + ": " + e.getMessage(), e);
        }
    }

    private synchronized List<DevProcess> started() {
        return List.copyOf(processes);
    }

    private void awaitReady() throws InterruptedException {
        for (DevProcess process : started()) {
            try {
                process.ready().get();
            } catch (ExecutionException e) {
                throw CommandFailure.failed("node " + process.id() + " did not start: see what it says above", e);
            }
        }
    }

    /** Ends all nodes; returns when they have ended. */
    private void stop() {
        synchronized (this) {
            stopping = true;
        }
        started().forEach(DevProcess::stop);
        started().forEach(DevProcess::end);
    }

    private static void requireLoopback(HostPort listen) {
        if (listen.port() > LAST_FIRST_PORT) {
            throw CommandFailure.usage("port " + listen.port() + " leaves no room above it for the ports of all nodes");
        }
        try {
            if (InetAddress.getByName(listen.host()).isLoopbackAddress()) {
                return;
            }
        } catch (UnknownHostException e) {
            throw CommandFailure.usage("host '" + listen.host() + "' is not known: check --listen");
        }
        throw CommandFailure.usage(
                "a cluster of --dev-cluster listens on this machine only: leave --listen away, or name"
                        + " 127.0.0.1 with the first of its ports");
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("forebay-dev-");
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot make a temporary folder for the store (" + e.getMessage() + "): name one with --store", e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // A temporary folder: somebody else tidies those up.
        }
    }
}
