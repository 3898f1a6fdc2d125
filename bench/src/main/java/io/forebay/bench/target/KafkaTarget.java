package io.forebay.bench.target;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Apache Kafka from its published artifacts: one node, broker and KRaft controller in one process, its shipped
 * configuration but for addresses, folder, and replication factors of one.
 *
 * @param children where its processes are registered
 * @param id short name
 * @param classPath class path of the broker
 * @param port port for clients; the controller listens on the port 100 above
 * @param heap maximum heap, as in {@code 1g}
 */
public record KafkaTarget(Children children, String id, String classPath, int port, String heap) implements Target {
    /** The JVM flags of Kafka's own start script. */
    private static final List<String> SHIPPED_FLAGS = List.of(
            "-server",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent",
            "-Djava.awt.headless=true");

    /** Any fixed identifier of 22 base64 characters will do. */
    private static final String CLUSTER_ID = "forebaySideBySideAAAAA";

    private static final long FORMAT_SECONDS = 60;

    @Override
    public String label() {
        return id.equals("kafka") ? "Kafka" : "Kafka (" + id + ")";
    }

    @Override
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    @Override
    public String flags() {
        return "java " + String.join(" ", jvmFlags()) + " kafka.Kafka (broker and controller in one process)";
    }

    @Override
    public Running start(Path data, Path log) throws IOException, InterruptedException {
        Path settings = data.resolve("server.properties");
        Path logging = data.resolve("log4j2.yaml");
        Path logs = data.resolve("logs");
        if (!Files.exists(settings)) {
            Files.createDirectories(data);
            Files.writeString(logging, logging());
            Files.writeString(settings, settings(logs));
            format(settings, logging, log);
        }
        List<String> command = java(logging);
        command.addAll(List.of("kafka.Kafka", settings.toString()));
        return new Running(children, launch(command, log));
    }

    private void format(Path settings, Path logging, Path log) throws IOException, InterruptedException {
        List<String> command = java(logging);
        command.addAll(List.of("kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", settings.toString()));
        Process format = launch(command, log);
        if (!format.waitFor(FORMAT_SECONDS, TimeUnit.SECONDS) || format.exitValue() != 0) {
            throw new IllegalStateException("Kafka's folder could not be formatted, see " + log);
        }
    }

    private Process launch(List<String> command, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        return children.start(builder);
    }

    private List<String> java(Path logging) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags());
        command.add("-Dlog4j2.configurationFile=" + logging);
        command.addAll(List.of("-cp", classPath));
        return command;
    }

    private List<String> jvmFlags() {
        List<String> flags = new ArrayList<>(List.of("-Xms" + heap, "-Xmx" + heap));
        flags.addAll(SHIPPED_FLAGS);
        return flags;
    }

    private String settings(Path logs) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%1$d
                listeners=PLAINTEXT://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%1$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=PLAINTEXT
                log.dirs=%3$s
                default.replication.factor=1
                min.insync.replicas=1
                offsets.topic.replication.factor=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                # Deleted topics must not fill the disk that the next load is measured on.
                log.segment.delete.delay.ms=1000
                """.formatted(port + 100, port, logs);
    }

    private static String logging() {
        return """
                Configuration:
                  Appenders:
                    Console: {name: STDOUT, PatternLayout: {pattern: "[%d] %p %m (%c)%n"}}
                  Loggers:
                    Root: {level: INFO, AppenderRef: [{ref: STDOUT}]}
                """;
    }
}
