package io.forebay.bench.target;

import io.forebay.bench.machine.ProcFiles;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run of a target. Not thread safe. */
public final class Running {
    private static final long STOP_SECONDS = 60;

    private final Children children;
    private final Process process;
    private final ProcFiles proc = new ProcFiles();

    Running(Children children, Process process) {
        this.children = children;
        this.process = process;
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** The server's own process: the JVM, also where a script started it. To be asked when the server is ready. */
    public long pid() {
        return server().pid();
    }

    /** SIGTERM, and SIGKILL when the process is still there after a minute. */
    public void stop() throws InterruptedException {
        // A handle of this JVM's own child does not offer a signal to a script's child, so ask for it first.
        ProcessHandle server = server();
        server.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            System.err.println("did not stop within " + STOP_SECONDS + " s, killed: pid " + server.pid());
        }
        children.kill(process.toHandle());
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() throws InterruptedException {
        server().destroyForcibly();
        children.kill(process.toHandle());
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("still there after SIGKILL: pid " + process.pid());
        }
    }

    private ProcessHandle server() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .filter(ProcessHandle::isAlive)
                .filter(handle -> proc.command(handle.pid()).equals("java"))
                .findFirst()
                .orElse(process.toHandle());
    }
}
