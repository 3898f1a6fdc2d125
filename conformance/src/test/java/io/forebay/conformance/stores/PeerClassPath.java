package io.forebay.conformance.stores;

import io.forebay.conformance.harness.Settings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Class paths of servers of others, with something to write their logs with. */
final class PeerClassPath {

    private PeerClassPath() {}

    /** The class path that {@code file} holds, and the logger that Forebay brings. */
    static String of(Path file) {
        List<String> entries = new ArrayList<>(read(file));
        read(Settings.serverClassPath()).stream()
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
