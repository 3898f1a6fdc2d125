package io.forebay.conformance.clients;

import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.Installed;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** kafkajs, with codecs from npm for what it cannot compress itself. */
final class KafkaJs implements Client {

    @Override
    public String name() {
        return "kafkajs";
    }

    @Override
    public Set<String> compressions() {
        return Set.of("none", "gzip", "snappy", "lz4", "zstd");
    }

    @Override
    public void produce(String bootstrap, List<Load> loads) {
        run(bootstrap, JobFile.ofLoads(loads));
    }

    @Override
    public void consume(String bootstrap, List<Reading> readings) {
        run(bootstrap, JobFile.ofReadings(readings));
    }

    private static void run(String bootstrap, Path jobs) {
        Path folder = install();
        CommandRun ignored = CommandRun.of(
                        List.of("node", folder.resolve("kafkajs-program.js").toString(), bootstrap, jobs.toString()))
                .succeeded();
    }

    /** Installs the packages once below the target folder and brings the program up to date. */
    private static synchronized Path install() {
        Installed.require("node", "nodejs");
        Installed.require("npm", "npm");
        Path sources = Settings.sources().resolve("node");
        Path folder = Settings.target().resolve("node");
        try {
            Files.createDirectories(folder);
            for (String file : List.of("package.json", "kafkajs-program.js")) {
                Files.copy(sources.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
            }
            if (!Files.exists(folder.resolve("node_modules/kafkajs/package.json"))) {
                CommandRun ignored = CommandRun.of(
                                List.of(
                                        "npm",
                                        "install",
                                        "--prefix",
                                        folder.toString(),
                                        "--ignore-scripts",
                                        "--no-audit",
                                        "--no-fund",
                                        "--no-package-lock"),
                                new byte[0],
                                Map.of())
                        .succeeded();
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
