package io.forebay.conformance.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One server process on one store folder and one port, which it keeps over its lives: {@link #kill} and {@link #start}
 * again. stdout is read by a thread of its own, stderr goes to a log file that all lives share.
 *
 * <p>Life: stopped → (start) running → (kill, stop) stopped. Used by one test thread.
 */
public final class ForebayProcess implements AutoCloseable {

    /** The ports tried, below the range from which the system picks the clients' own ports. */
    private static final int FIRST_PORT = 9500;

    private static final int PORTS = 100;
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger((int) (ProcessHandle.current().pid() % PORTS));
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final int TAIL_LINES = 60;

    private final Path store;
    private final Path log;
    private final Map<String, String> settings;
    private final List<String> jvmOptions;
    private int port;
    private List<Process> lives = new ArrayList<>();

    /** A stopped server on {@code store}; {@code name} names its log file. */
    public ForebayProcess(String name, Path store, Map<String, String> settings) {
        this(name, store, settings, List.of());
    }

    /** A stopped server on {@code store} with more JVM options. */
    public ForebayProcess(String name, Path store, Map<String, String> settings, List<String> jvmOptions) {
        this.store = store;
        this.settings = Map.copyOf(settings);
        this.jvmOptions = List.copyOf(jvmOptions);
        this.port = freePort();
        try {
            this.log =
                    Files.createDirectories(Settings.target().resolve("logs")).resolve(name + ".log");
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Uses this address instead of a free one. */
    public ForebayProcess at(String bootstrap) {
        this.port = Integer.parseInt(bootstrap.substring(bootstrap.lastIndexOf(':') + 1));
        return this;
    }

    /** Starts the process and returns when it has said that it is ready. */
    public void start() {
        Process process = launch();
        CompletableFuture<String> ready = new CompletableFuture<>();
        readStdout(process, ready);
        try {
            String line = ready.get(READY_LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (!line.equals("forebay ready on " + bootstrap())) {
                throw new AssertionError("unexpected line on stdout: " + line + "\n" + logTail());
            }
        } catch (TimeoutException e) {
            throw new AssertionError("not ready after " + READY_LIMIT + "\n" + logTail(), e);
        } catch (ExecutionException e) {
            throw new AssertionError("the server ended before it was ready\n" + logTail(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Starts the process and kills it, ready or not, after {@code life}. */
    public void startAndKill(Duration life) {
        Process process = launch();
        readStdout(process, new CompletableFuture<>());
        try {
            boolean ended = process.waitFor(life.toMillis(), TimeUnit.MILLISECONDS);
            if (ended) {
                throw new AssertionError("the server ended by itself with " + process.exitValue() + "\n" + logTail());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        kill();
    }

    /** Starts the process, which is expected to refuse: returns its exit code and what it said on stderr. */
    public CommandRun startRefused() {
        return CommandRun.of(command());
    }

    private Process launch() {
        if (running()) {
            throw new IllegalStateException("already running");
        }
        try {
            Process process = new ProcessBuilder(command())
                    .redirectError(Redirect.appendTo(log.toFile()))
                    .start();
            lives.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        if (Settings.serverCommand().isEmpty()) {
            command.addAll(List.of(Settings.java(), "-Xmx512m", "-XX:+ExitOnOutOfMemoryError"));
            command.addAll(jvmOptions);
            command.addAll(List.of("-cp", classPath(), "io.forebay.server.Main"));
        } else {
            command.add(Settings.serverCommand());
        }
        command.addAll(List.of("start", "--store", store.toString(), "--listen", bootstrap()));
        settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        return command;
    }

    private static String classPath() {
        try {
            return Files.readString(Settings.serverClassPath()).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readStdout(Process process, CompletableFuture<String> firstLine) {
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            firstLine.complete(line);
                        }
                    } catch (IOException e) {
                        firstLine.completeExceptionally(e);
                    }
                    firstLine.completeExceptionally(new IOException("stdout was closed"));
                },
                "stdout-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** kill -9, returning when the process is gone. */
    public void kill() {
        Process process = current();
        process.destroyForcibly();
        await(process, STOP_LIMIT);
    }

    /** SIGTERM, returning its exit code; fails if it takes longer than 20 s. */
    public int stop() {
        Process process = current();
        process.destroy();
        return await(process, STOP_LIMIT);
    }

    /** Waits for the newest life to end by itself, if it has not. */
    public int awaitEnd(Duration limit) {
        return await(lives.get(lives.size() - 1), limit);
    }

    private int await(Process process, Duration limit) {
        try {
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the server had not ended after " + limit + "\n" + logTail());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private Process current() {
        if (!running()) {
            throw new AssertionError("the server is not running\n" + logTail());
        }
        return lives.get(lives.size() - 1);
    }

    /** Whether the newest life still runs. */
    public boolean running() {
        return !lives.isEmpty() && lives.get(lives.size() - 1).isAlive();
    }

    /** The process id of the newest life. */
    public long pid() {
        return current().pid();
    }

    /** HOST:PORT, the same in every life. */
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    /** The folder it stores in. */
    public Path store() {
        return store;
    }

    /** Everything all lives wrote to stderr. */
    public String log() {
        try {
            return Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last lines of the log, for the message of a failed test. */
    public String logTail() {
        List<String> lines = log().lines().toList();
        return "--- end of " + log + "\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    /** Ends the process, hard if it does not end by itself. */
    @Override
    public void close() {
        if (running()) {
            int ignored = stop();
        }
    }

    private static int freePort() {
        for (int tries = 0; tries < PORTS; tries++) {
            int port = FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException inUse) {
                // the next one may be free
            }
        }
        throw new AssertionError("no free port from " + FIRST_PORT + " on");
    }
}
