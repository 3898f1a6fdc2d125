package io.forebay.bench.target;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Every process that this JVM started, so that none outlives it. Thread safe.
 *
 * <p>A child may be a script that started the real program: its descendants are ended with it.
 */
public final class Children {
    private static final long END_SECONDS = 5;

    private final Set<ProcessHandle> running = ConcurrentHashMap.newKeySet();

    /** Ends all children when this JVM ends, and then does something more, such as deleting what they worked on. */
    public void endWithJvm(Runnable afterwards) {
        Runnable end = () -> {
            killAll();
            afterwards.run();
        };
        Runtime.getRuntime().addShutdownHook(new Thread(end, "end-children"));
    }

    /** Starts a process and remembers it. */
    public Process start(ProcessBuilder command) throws IOException {
        Process process = command.start();
        running.add(process.toHandle());
        return process;
    }

    /** SIGKILL to a child and its descendants. */
    public void kill(ProcessHandle child) {
        withDescendants(child).forEach(ProcessHandle::destroyForcibly);
        running.remove(child);
    }

    private void killAll() {
        for (ProcessHandle child : List.copyOf(running)) {
            kill(child);
            try {
                ProcessHandle gone = child.onExit().get(END_SECONDS, TimeUnit.SECONDS);
                running.remove(gone);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                System.err.println("still there after SIGKILL: pid " + child.pid());
            }
        }
    }

    private static List<ProcessHandle> withDescendants(ProcessHandle child) {
        return Stream.concat(child.descendants(), Stream.of(child)).toList();
    }
}
