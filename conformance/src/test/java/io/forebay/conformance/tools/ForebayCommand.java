package io.forebay.conformance.tools;

import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs Forebay's own command line as {@code bin/forebay} does, from the classes of this build. */
final class ForebayCommand {

    private ForebayCommand() {}

    /** Runs with an empty stdin. */
    static CommandRun run(String... arguments) {
        return withInput("", arguments);
    }

    /** Runs with {@code input} on stdin. */
    static CommandRun withInput(String input, String... arguments) {
        try {
            List<String> command = new ArrayList<>(List.of(Settings.java(), "-Xmx256m", "-XX:TieredStopAtLevel=1"));
            command.addAll(List.of(
                    "-XX:+UseSerialGC",
                    "-cp",
                    Files.readString(Settings.serverClassPath()).strip()));
            command.add("io.forebay.server.Main");
            command.addAll(List.of(arguments));
            return CommandRun.of(command, input.getBytes(StandardCharsets.UTF_8), Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
