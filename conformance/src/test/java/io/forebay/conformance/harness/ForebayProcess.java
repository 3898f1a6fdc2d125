package io.forebay.conformance.harness;

import io.forebay.bench.peer.FreePorts;
import io.forebay.bench.peer.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One server process on one store and one port, which it keeps over its lives: {@link #kill} and {@link #start} again.
 * stdout is read by a thread of its own, stderr goes to a log file that all lives share.
 *
 * <p>Life: stopped → (start) running → (kill, stop) stopped; running ↔ (pause, resume) paused. Used by one test thread.
 */
public final class ForebayProcess implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final int TAIL_LINES = 60;

    private final String store;
    private final Path log;
    private final Map<String, String> settings;
    private final List<String> jvmOptions;
    private final Map<String, String> environment;
    private int port;
    private List<Process> lives = new ArrayList<>();
    private CompletableFuture<String> ready = new CompletableFuture<>();

    /** A stopped server on {@code store}; {@code name} names its log file. */
    public ForebayProcess(String name, Path store, Map<String, String> settings) {
        this(name, store, settings, List.of());
    }

    /** A stopped server on {@code store} with more JVM options. */
    public ForebayProcess(String name, Path store, Map<String, String> settings, List<String> jvmOptions) {
        this(name, store.toString(), settings, jvmOptions, Map.of());
    }

    /** A stopped server on a store that is named as with {@code --store}, with more JVM options and environment variables. */
    public ForebayProcess(
            String name,
            String store,
            Map<String, String> settings,
            List<String> jvmOptions,
            Map<String, String> environment) {
        this.store = store;
        this.settings = Map.copyOf(settings);
        this.jvmOptions = List.copyOf(jvmOptions);
        this.environment = Map.copyOf(environment);
        this.port = FreePorts.next();
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
        begin();
        OptionalInt ended = awaitReady(READY_LIMIT);
        if (ended.isPresent()) {
            throw new AssertionError(
                    "the server ended with " + ended.getAsInt() + " before it was ready\n" + logTail());
        }
    }

    /** Starts the process and returns at once. */
    public void begin() {
        Process process = launch();
        ready = new CompletableFuture<>();
        readStdout(process, ready);
    }

    /**
     * Waits until the newest life has said that it is ready; returns its exit code if it has ended instead.
     *
     * @throws AssertionError if neither happens within {@code limit}, or if it said something else
     */
    public OptionalInt awaitReady(Duration limit) {
        try {
            String line = ready.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!line.equals("forebay ready on " + bootstrap())) {
                throw new AssertionError("unexpected line on stdout: " + line + "\n" + logTail());
            }
            return OptionalInt.empty();
        } catch (TimeoutException e) {
            throw new AssertionError("not ready after " + limit + "\n" + logTail(), e);
        } catch (ExecutionException e) {
            return OptionalInt.of(awaitEnd(STOP_LIMIT));
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
            ProcessBuilder builder = new ProcessBuilder(command()).redirectError(Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            Signals.endWithThisJvm(process);
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
        command.addAll(List.of("start", "--store", store, "--listen", bootstrap()));
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

    /** SIGSTOP: nothing of it runs until {@link #resume}; its sockets stay. */
    public void pause() {
        Signals.pause(current());
    }

    /** SIGCONT. */
    public void resume() {
        Signals.resume(current());
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
        return Path.of(store);
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
}
