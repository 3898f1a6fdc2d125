package io.forebay.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads {@code /proc}. Stateless, any thread. A process that has gone makes every reading of it fail. */
public final class ProcFiles {
    private final Path root;

    /** Files of the running kernel. */
    public ProcFiles() {
        this(Path.of("/proc"));
    }

    ProcFiles(Path root) {
        this.root = root;
    }

    /** CPU time of one process. */
    public ProcessTicks process(long pid) {
        return ProcessTicks.parse(read(root.resolve(Long.toString(pid)).resolve("stat")));
    }

    /** CPU time of the machine. */
    public MachineTicks machine() {
        return MachineTicks.parse(read(root.resolve("stat")));
    }

    /** CPU time of a server, a client and the machine, now. */
    public CpuSample sample(long serverPid, long clientPid) {
        return new CpuSample(System.nanoTime(), process(serverPid), process(clientPid), machine());
    }

    /** Resident memory of a process in bytes. */
    public long residentBytes(long pid) {
        return Memory.residentBytes(read(root.resolve(Long.toString(pid)).resolve("status")));
    }

    /** Name of the program that a process runs, at most 15 characters. */
    public String command(long pid) {
        return read(root.resolve(Long.toString(pid)).resolve("comm")).trim();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
