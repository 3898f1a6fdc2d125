package io.forebay.conformance.clients;

import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.Settings;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * Kafka's Java client: the newest in this process, an old one in a process whose class path holds nothing but that client
 * and {@link JavaProgram}.
 */
final class JavaClient implements Client {

    private final String name;
    private final String version;
    private final Map<String, String> settings;

    private JavaClient(String name, String version, Map<String, String> settings) {
        this.name = name;
        this.version = version;
        this.settings = Map.copyOf(settings);
    }

    /** The client of this build, with settings that the job's own do not name. */
    static JavaClient newest(String manner, Map<String, String> settings) {
        return new JavaClient("java-" + manner, "", settings);
    }

    /** An older client; {@code version} is a folder below {@code target/old-client}. */
    static JavaClient old(String version, Map<String, String> settings) {
        return new JavaClient("java-" + version, version, settings);
    }

    @Override
    public String name() {
        return name;
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

    private void run(String bootstrap, Path jobs) {
        if (version.isEmpty()) {
            Properties properties = new Properties();
            properties.putAll(settings);
            try {
                JavaProgram.run(bootstrap, jobs, properties);
            } catch (Exception e) {
                throw new AssertionError(name + " failed", e);
            }
            return;
        }
        Path jars = Settings.target().resolve("old-client").resolve(version);
        List<String> command = new ArrayList<>(List.of(Settings.java(), "-Xmx512m", "-XX:+UseSerialGC", "-cp"));
        command.add(Settings.target().resolve("test-classes") + File.pathSeparator + jars + File.separator + "*");
        command.addAll(List.of(JavaProgram.class.getName(), bootstrap, jobs.toString()));
        settings.forEach((key, value) -> command.add(key + "=" + value));
        CommandRun ignored = CommandRun.of(command).succeeded();
    }
}
