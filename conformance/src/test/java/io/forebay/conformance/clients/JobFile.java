package io.forebay.conformance.clients;

import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Jobs for a client program in another process: one a line, its parts separated by tabs. */
final class JobFile {

    private JobFile() {}

    static Path ofLoads(List<Client.Load> loads) {
        return write(loads.stream()
                .map(load -> String.join(
                        "\t",
                        "produce",
                        load.topic(),
                        load.compression(),
                        load.records().toString()))
                .toList());
    }

    static Path ofReadings(List<Client.Reading> readings) {
        return write(readings.stream()
                .map(reading -> String.join(
                        "\t",
                        "consume",
                        reading.topic(),
                        reading.group(),
                        reading.records().toString()))
                .toList());
    }

    private static Path write(List<String> lines) {
        try {
            Path folder = Files.createDirectories(Settings.target().resolve("commands"));
            return Files.write(Files.createTempFile(folder, "jobs", ".tsv"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
