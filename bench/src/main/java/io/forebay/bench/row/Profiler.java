package io.forebay.bench.row;

import io.forebay.bench.target.Children;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A CPU profile of a server, by loading async-profiler into it through the JVM's own attach command. Leaves two files
 * per profile: {@code NAME.collapsed}, whole stacks for flame graphs, and {@code NAME.txt}, the methods on top.
 */
public final class Profiler {
    private static final String LIBRARY = "linux-x64/libasyncProfiler.so";
    private static final int TOP_METHODS = 60;
    private static final long ATTACH_SECONDS = 20;

    private final Children children;
    private final Path folder;
    private final Path library;

    /** Profiles go to a folder, and so does the native library. */
    public Profiler(Children children, Path folder) throws IOException {
        this.children = children;
        this.folder = Files.createDirectories(folder).toAbsolutePath();
        this.library = this.folder.resolve("libasyncProfiler.so");
        try (InputStream bytes = Profiler.class.getClassLoader().getResourceAsStream(LIBRARY)) {
            if (bytes == null) {
                throw new IllegalStateException("async-profiler has no library for this machine: " + LIBRARY);
            }
            Files.copy(bytes, library, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    void start(long pid) {
        command(pid, "start,event=cpu,interval=1ms,threads");
    }

    void stop(long pid, String name) {
        command(pid, "dump,file=" + folder.resolve(name + ".collapsed") + ",collapsed");
        command(pid, "stop,file=" + folder.resolve(name + ".txt") + ",flat=" + TOP_METHODS + ",traces=0");
    }

    private void command(long pid, String options) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        ProcessBuilder command =
                new ProcessBuilder(List.of(jcmd, Long.toString(pid), "JVMTI.agent_load", library.toString(), options));
        command.redirectErrorStream(true);
        command.redirectOutput(folder.resolve("jcmd.log").toFile());
        try {
            Process process = children.start(command);
            if (!process.waitFor(ATTACH_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("could not profile " + pid + ", see " + folder.resolve("jcmd.log"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
