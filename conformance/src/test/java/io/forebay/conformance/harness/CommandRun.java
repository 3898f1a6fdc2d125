package io.forebay.conformance.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What an external command did.
 *
 * @param exitCode its exit code
 * @param stdout everything it wrote to stdout, as UTF-8
 * @param stderr everything it wrote to stderr, as UTF-8
 */
public record CommandRun(int exitCode, String stdout, String stderr) {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** Runs {@code command} with an empty stdin and waits for its end. */
    public static CommandRun of(List<String> command) {
        return of(command, new byte[0], Map.of());
    }

    /**
     * Runs {@code command} with {@code stdin} and waits for its end.
     *
     * @throws AssertionError if it has not ended after three minutes; it is killed then
     */
    public static CommandRun of(List<String> command, byte[] stdin, Map<String, String> environment) {
        try {
            Path folder = Files.createDirectories(Settings.target().resolve("commands"));
            Path in = Files.createTempFile(folder, "run", ".in");
            Path out = Files.createTempFile(folder, "run", ".out");
            Path err = Files.createTempFile(folder, "run", ".err");
            Files.write(in, stdin);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectOutput(Redirect.to(out.toFile()))
                    .redirectError(Redirect.to(err.toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            CommandRun run = new CommandRun(
                    ended ? process.exitValue() : -1,
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
            Files.delete(in);
            Files.delete(out);
            Files.delete(err);
            if (!ended) {
                throw new AssertionError("no end after " + LIMIT + ": " + command + "\n" + run);
            }
            return run;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while running " + command, e);
        }
    }

    /** Returns this run if it ended with exit code 0, and fails with its output otherwise. */
    public CommandRun succeeded() {
        if (exitCode != 0) {
            throw new AssertionError("exit code " + exitCode + "\nstdout: " + stdout + "\nstderr: " + stderr);
        }
        return this;
    }
}
