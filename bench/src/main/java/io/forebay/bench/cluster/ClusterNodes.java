package io.forebay.bench.cluster;

import io.forebay.bench.target.Children;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes over one store, as a user starts them. Used by one thread. Closing kills those that run. */
final class ClusterNodes implements AutoCloseable {

    private static final int CONTROL_PORT_ABOVE = 50;
    private static final long READY_LIMIT_MS = 60_000;

    /** What two cores can hold several of. */
    static final Map<String, String> SMALL_CACHES = Map.of("cache.tail.bytes", "32MiB", "cache.cold.bytes", "32MiB");

    private final Children children;
    private final Path launcher;
    private final Path logs;
    private final StoreSite store;
    private final String name;
    private final int basePort;
    private final String heap;
    private final Map<String, String> settings;
    private final Map<Integer, Process> running = new HashMap<>();
    private final Map<Integer, Integer> lives = new HashMap<>();

    /**
     * Stopped nodes.
     *
     * @param name of the store on its servers, and what the logs' names begin with
     * @param basePort node {@code id} listens on this and its id
     * @param settings of every node
     */
    ClusterNodes(Rig rig, StoreSite store, String name, int basePort, String heap, Map<String, String> settings) {
        this.children = rig.children();
        this.launcher = rig.launcher();
        this.logs = rig.logs();
        this.store = store;
        this.name = name;
        this.basePort = basePort;
        this.heap = heap;
        this.settings = Map.copyOf(settings);
    }

    String bootstrap(int nodes) {
        return IntStream.rangeClosed(1, nodes).mapToObj(this::address).collect(Collectors.joining(","));
    }

    /** Where a node's clients connect. */
    String address(int id) {
        return "127.0.0.1:" + (basePort + id);
    }

    /** Where a node can be steered. */
    String control(int id) {
        return "127.0.0.1:" + (basePort + CONTROL_PORT_ABOVE + id);
    }

    void start(int id) {
        start(id, Map.of());
    }

    /** Starts a node with settings of its own; returns at once. */
    void start(int id, Map<String, String> own) {
        lives.merge(id, 1, Integer::sum);
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putAll(store.settings());
        all.put("node.id", Integer.toString(id));
        all.put("cluster.listen", control(id));
        all.putAll(own);
        List<String> command = new ArrayList<>(
                List.of(launcher.toString(), "start", "--store", store.uri(name), "--listen", address(id)));
        all.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FOREBAY_HEAP", heap);
        builder.environment().putAll(store.environment());
        builder.redirectErrorStream(true);
        builder.redirectOutput(log(id).toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        try {
            running.put(id, children.start(builder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts nodes 1 to a number; returns when all are ready. */
    void startAll(int nodes) {
        for (int id = 1; id <= nodes; id++) {
            start(id);
        }
        for (int id = 1; id <= nodes; id++) {
            awaitReady(id);
        }
    }

    private Path log(int id) {
        return logs.resolve(store.kind() + "-" + name + "-node-" + id + "-" + lives.get(id) + ".log");
    }

    /** Waits until a node says that it is ready. */
    void awaitReady(int id) {
        awaitLine(id, "forebay ready on");
    }

    /** Waits until a node has logged a text. */
    void awaitLine(int id, String text) {
        long end = System.nanoTime() + READY_LIMIT_MS * 1_000_000;
        while (!logOf(id).contains(text)) {
            if (System.nanoTime() - end > 0 || !process(id).isAlive()) {
                throw new IllegalStateException("node " + id + " has not said '" + text + "': see " + log(id));
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    /** What a node has logged in this life. */
    String logOf(int id) {
        try {
            return Files.readString(log(id), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process process(int id) {
        Process process = running.get(id);
        if (process == null) {
            throw new IllegalStateException("node " + id + " was not started");
        }
        return process;
    }

    /** The node's JVM. */
    long pid(int id) {
        return process(id).pid();
    }

    /** SIGKILL; returns when it is gone. */
    void kill(int id) {
        Process process = process(id);
        children.kill(process.toHandle());
        await(process, 10, id);
        running.remove(id);
    }

    /** SIGTERM; returns how long the node took to end, in ms. */
    long stop(int id) {
        Process process = process(id);
        long from = System.nanoTime();
        process.destroy();
        await(process, 60, id);
        running.remove(id);
        return (System.nanoTime() - from) / 1_000_000;
    }

    private static void await(Process process, int seconds, int id) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new IllegalStateException("node " + id + " did not end within " + seconds + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Moves shards, as a user does it: {@code bin/forebay cluster move}. */
    void move(String shard, int to) {
        try {
            Process process = children.start(new ProcessBuilder(
                            launcher.toString(),
                            "cluster",
                            "move",
                            "--control",
                            control(to),
                            "--to",
                            Integer.toString(to),
                            shard)
                    .redirectErrorStream(true)
                    .redirectOutput(logs.resolve("move.log").toFile()));
            if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("cluster move failed: see " + logs.resolve("move.log"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        List.copyOf(running.keySet()).forEach(this::kill);
    }
}
