package io.forebay.bench.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Signals to child processes that Java has no method for, and their end together with this JVM. Thread-safe. */
public final class Signals {

    private static final Set<Process> CHILDREN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> CHILDREN.forEach(Process::destroyForcibly), "end-of-child-processes"));
    }

    private Signals() {}

    /** Kills the process when this JVM ends in order, even one that is paused. */
    public static void endWithThisJvm(Process process) {
        CHILDREN.removeIf(child -> !child.isAlive());
        CHILDREN.add(process);
    }

    /** SIGSTOP. */
    public static void pause(Process process) {
        send("-STOP", process);
    }

    /** SIGCONT. */
    public static void resume(Process process) {
        send("-CONT", process);
    }

    private static void send(String signal, Process process) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new AssertionError("kill " + signal + " " + process.pid() + " ended with " + kill.exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
