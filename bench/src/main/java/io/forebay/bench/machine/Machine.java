package io.forebay.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine that a report was made on, in words a reader can compare with his own.
 *
 * @param cpus CPUs that programs may use
 * @param cpuModel what the kernel calls the processor
 * @param memoryBytes main memory
 * @param kernel system and release
 * @param fileSystem type of the file system that the data folders are on
 * @param java version of the JVM that runs everything
 */
public record Machine(int cpus, String cpuModel, long memoryBytes, String kernel, String fileSystem, String java) {
    /** This machine, with the file system of a folder. */
    public static Machine here(Path folder) {
        try {
            String cpuinfo = Files.readString(Path.of("/proc/cpuinfo"));
            String model = cpuinfo.lines()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unknown");
            return new Machine(
                    Runtime.getRuntime().availableProcessors(),
                    model,
                    Memory.totalBytes(Files.readString(Path.of("/proc/meminfo"))),
                    System.getProperty("os.name") + " " + System.getProperty("os.version"),
                    Files.getFileStore(folder).type(),
                    System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
