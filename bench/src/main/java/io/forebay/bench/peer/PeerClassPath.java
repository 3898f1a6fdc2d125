package io.forebay.bench.peer;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Class paths of servers of others, with something to write their logs with. */
public final class PeerClassPath {

    private PeerClassPath() {}

    /** The class path that {@code file} holds, and the logger among {@code jars}, a class path too: the one that Forebay brings. */
    public static String of(Path file, Path jars) {
        List<String> entries = new ArrayList<>(read(file));
        read(jars).stream()
                .filter(entry -> Path.of(entry).getFileName().toString().startsWith("slf4j-simple"))
                .forEach(entries::add);
        return String.join(File.pathSeparator, entries);
    }

    private static List<String> read(Path file) {
        try {
            return Arrays.asList(Files.readString(file).strip().split(File.pathSeparator, -1));
        } catch (IOException e) {
            throw new UncheckedIOException("build with -am, so that the rooms below leave their class paths", e);
        }
    }
}
