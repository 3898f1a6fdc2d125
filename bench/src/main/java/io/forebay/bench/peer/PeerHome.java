package io.forebay.bench.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where servers of others live and how their JVMs are started.
 *
 * @param folder what they store, an empty one or one that is not there
 * @param logs folder of their logs
 * @param classPath with their classes and a logger, see {@link PeerClassPath}
 * @param flags of each JVM but for its heap
 */
public record PeerHome(Path folder, Path logs, String classPath, List<String> flags) {

    /** Flags for servers that should be small and quick to start rather than fast. */
    public static final List<String> SMALL = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    public PeerHome {
        flags = List.copyOf(flags);
    }

    /**
     * A stopped process.
     *
     * @param name names its log file
     * @param heapMiB largest heap
     * @param classPathFirst folders before the class path
     * @param mainAndArguments the class that is run, then its arguments
     */
    PeerProcess process(String name, int heapMiB, List<Path> classPathFirst, List<String> mainAndArguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("-Xmx" + heapMiB + "m");
        command.add("-Djava.net.preferIPv4Stack=true");
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
        command.add("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS");
        command.add("-cp");
        StringBuilder path = new StringBuilder();
        classPathFirst.forEach(entry -> path.append(entry).append(':'));
        command.add(path.append(classPath).toString());
        command.addAll(mainAndArguments);
        try {
            Path log = Files.createDirectories(logs).resolve(name + ".log");
            Files.deleteIfExists(log);
            return new PeerProcess(name, log, command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
