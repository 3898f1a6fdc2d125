package io.forebay.bench.row;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.forebay.bench.report.ProfileText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A CPU profile of a server, by loading async-profiler into it through the JVM's attach interface. Leaves two files
 * per profile: {@code NAME.collapsed}, whole stacks for flame graphs, and {@code NAME.txt}, threads and methods.
 */
public final class Profiler {
    private static final String LIBRARY = "linux-x64/libasyncProfiler.so";

    private final Path folder;
    private final Path library;

    /** Profiles go to a folder, and so does the native library. */
    public Profiler(Path folder) throws IOException {
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
        Path stacks = folder.resolve(name + ".collapsed");
        command(pid, "stop,file=" + stacks + ",collapsed");
        try {
            Files.writeString(folder.resolve(name + ".txt"), ProfileText.of(Files.readAllLines(stacks)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void command(long pid, String options) {
        try {
            VirtualMachine server = VirtualMachine.attach(Long.toString(pid));
            try {
                server.loadAgentPath(library.toString(), options);
            } finally {
                server.detach();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new IllegalStateException("could not profile " + pid + " (" + options + "): " + e.getMessage(), e);
        }
    }
}
