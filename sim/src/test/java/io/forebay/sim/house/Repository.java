package io.forebay.sim.house;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of this repository, as a test finds them. */
final class Repository {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private Repository() {}

    /** The folder that holds the parent pom. Tests run in their own module's folder. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("bin")) || !Files.isDirectory(folder.resolve("model"))) {
            Path parent = folder.getParent();
            if (parent == null) {
                throw new IllegalStateException(
                        "not inside the repository: " + Path.of("").toAbsolutePath());
            }
            folder = parent;
        }
        return folder;
    }

    /** The modules that the parent pom names. */
    static List<String> modules() throws IOException {
        Matcher matcher = MODULE.matcher(read(root().resolve("pom.xml")));
        List<String> modules = new ArrayList<>();
        while (matcher.find()) {
            modules.add(matcher.group(1));
        }
        return modules;
    }

    /** Every file that git tracks, or would if it were added, relative to the root. */
    static List<Path> files() throws IOException {
        Process git = new ProcessBuilder("git", "ls-files", "--cached", "--others", "--exclude-standard")
                .directory(root().toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<Path> files = names.lines()
                .map(Path::of)
                .filter(file -> Files.isRegularFile(root().resolve(file)))
                .sorted()
                .toList();
        if (files.isEmpty()) {
            throw new IllegalStateException("git names no file in " + root());
        }
        return files;
    }

    /** Whether a file holds text: bytes of golden files are not read as words. */
    static boolean isText(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(root().resolve(file));
        for (byte each : bytes) {
            if (each == 0) {
                return false;
            }
        }
        return true;
    }

    static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(root().resolve(file)), StandardCharsets.UTF_8);
    }
}
