package io.forebay.bench.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A Java process of others that Forebay works with, on ports that it keeps over its lives. Both its outputs go to a log file
 * that all lives share.
 *
 * <p>Life: stopped → (start) running → (kill, stop) stopped; running ↔ (pause, resume) paused. Used by one thread at a time.
 */
public final class PeerProcess implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int TAIL_LINES = 40;

    private final String name;
    private final Path log;
    private final List<String> command;
    private Optional<Process> life = Optional.empty();

    /**
     * A stopped process.
     *
     * @param log file that both its outputs are appended to
     * @param command program and arguments
     */
    PeerProcess(String name, Path log, List<String> command) {
        this.name = name;
        this.log = log;
        this.command = List.copyOf(command);
    }

    /** Starts it and returns at once. */
    public void begin() {
        if (running()) {
            throw new IllegalStateException(name + " is already running");
        }
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
            Signals.endWithThisJvm(process);
            life = Optional.of(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until {@code ready} says yes; that it throws counts as no. */
    public void await(Callable<Boolean> ready) {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        while (!yes(ready)) {
            if (!running()) {
                throw new AssertionError(name + " ended before it was ready\n" + logTail());
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError(name + " is not ready after " + READY_LIMIT + "\n" + logTail());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static boolean yes(Callable<Boolean> ready) {
        try {
            return ready.call();
        } catch (Exception notYet) {
            return false;
        }
    }

    /** Whether somebody listens on this port of the loopback. */
    public static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException nobody) {
            return false;
        }
    }

    /** Runs it to its end, which must be a good one. */
    public void runToEnd() {
        begin();
        int code = awaitEnd(life.orElseThrow());
        if (code != 0) {
            throw new AssertionError(name + " ended with " + code + "\n" + logTail());
        }
    }

    /** kill -9, returning when it is gone. Nothing if it does not run. */
    public void kill() {
        life.ifPresent(process -> {
            process.destroyForcibly();
            int unused = awaitEnd(process);
        });
    }

    /** SIGSTOP: nothing of it runs until {@link #resume}; its sockets stay. */
    public void pause() {
        Signals.pause(life.orElseThrow());
    }

    /** SIGCONT. */
    public void resume() {
        Signals.resume(life.orElseThrow());
    }

    private int awaitEnd(Process process) {
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(name + " had not ended after " + STOP_LIMIT + "\n" + logTail());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Its process id; it must have been started. */
    public long pid() {
        return life.orElseThrow().pid();
    }

    /** Whether it runs, or is paused. */
    public boolean running() {
        return life.isPresent() && life.get().isAlive();
    }

    /** The last lines of its log, for a failure's message. */
    public String logTail() {
        try {
            List<String> lines = Files.exists(log)
                    ? Files.readString(log, StandardCharsets.UTF_8).lines().toList()
                    : List.of();
            return "--- end of " + log + "\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it: a peer that only tests use has nothing to lose. */
    @Override
    public void close() {
        kill();
    }
}
