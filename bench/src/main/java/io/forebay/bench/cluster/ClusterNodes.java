package io.forebay.bench.cluster;

import io.forebay.bench.target.Children;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Nodes over one folder, as a user starts them. Used by one thread. */
final class ClusterNodes {

    private static final int CLIENT_PORT = 24_100;
    private static final int CONTROL_PORT = 24_200;
    private static final long READY_LIMIT_MS = 60_000;

    private final Children children;
    private final Path launcher;
    private final Path folder;
    private final String heap;
    private final Map<Integer, Process> running = new HashMap<>();
    private final Map<Integer, Integer> lives = new HashMap<>();

    ClusterNodes(Children children, Path launcher, Path folder, String heap) {
        this.children = children;
        this.launcher = launcher;
        this.folder = folder;
        this.heap = heap;
    }

    static String bootstrap(int nodes) {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(id -> "127.0.0.1:" + (CLIENT_PORT + id))
                .collect(Collectors.joining(","));
    }

    void start(int id) throws IOException {
        Files.createDirectories(folder);
        lives.merge(id, 1, Integer::sum);
        ProcessBuilder builder = new ProcessBuilder(List.of(
                launcher.toString(),
                "start",
                "--store",
                folder.resolve("store").toString(),
                "--listen",
                "127.0.0.1:" + (CLIENT_PORT + id),
                "--set",
                "node.id=" + id,
                "--set",
                "cluster.listen=127.0.0.1:" + (CONTROL_PORT + id),
                "--set",
                "store.local.sync=os",
                "--set",
                "store.local.reserve.bytes=0",
                "--set",
                "cache.tail.bytes=32MiB",
                "--set",
                "cache.cold.bytes=32MiB"));
        builder.environment().put("FOREBAY_HEAP", heap);
        builder.redirectErrorStream(true);
        builder.redirectOutput(log(id).toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        running.put(id, children.start(builder));
    }

    private Path log(int id) {
        return folder.resolve("node-" + id + "-" + lives.get(id) + ".log");
    }

    /** Waits until a node says that it is ready. */
    void awaitReady(int id) throws IOException {
        long end = System.nanoTime() + READY_LIMIT_MS * 1_000_000;
        while (!Files.readString(log(id), StandardCharsets.UTF_8).contains("forebay ready on")) {
            if (System.nanoTime() - end > 0 || !process(id).isAlive()) {
                throw new IllegalStateException("node " + id + " is not ready: see " + log(id));
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    private Process process(int id) {
        Process process = running.get(id);
        if (process == null) {
            throw new IllegalStateException("node " + id + " was not started");
        }
        return process;
    }

    /** SIGKILL; returns when it was sent. */
    void kill(int id) throws InterruptedException {
        Process process = process(id);
        children.kill(process.toHandle());
        process.waitFor(10, TimeUnit.SECONDS);
    }

    /** SIGTERM; returns how long the node took to end, in ms. */
    long stop(int id) throws InterruptedException {
        Process process = process(id);
        long from = System.nanoTime();
        process.destroy();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("node " + id + " did not end within 60 s");
        }
        return (System.nanoTime() - from) / 1_000_000;
    }
}
