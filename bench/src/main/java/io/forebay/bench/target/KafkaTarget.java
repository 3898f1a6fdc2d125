package io.forebay.bench.target;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Apache Kafka from its published artifacts: one node, broker and KRaft controller in one process, alone or one of a cluster of such, its shipped
 * configuration but for addresses, folder, and replication: a factor of one for a node that is alone, else of three, with acknowledgements by two.
 *
 * @param children where its processes are registered
 * @param id short name
 * @param classPath class path of the broker
 * @param port port for clients; the controller listens on the port 100 above
 * @param heap maximum heap, as in {@code 1g}
 * @param node number of this node, from 1 on; the ports of node 1 are this many less one below its own
 * @param nodes in the cluster, 1 or at least 3
 */
public record KafkaTarget(Children children, String id, String classPath, int port, String heap, int node, int nodes)
        implements Target {
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

    /** A node that is alone. */
    public KafkaTarget(Children children, String id, String classPath, int port, String heap) {
        this(children, id, classPath, port, heap, 1, 1);
    }

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
                node.id=%4$d
                controller.quorum.voters=%5$s
                listeners=PLAINTEXT://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%1$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=PLAINTEXT
                log.dirs=%3$s
                default.replication.factor=%6$d
                min.insync.replicas=%7$d
                offsets.topic.replication.factor=%6$d
                transaction.state.log.replication.factor=%6$d
                transaction.state.log.min.isr=%7$d
                share.coordinator.state.topic.replication.factor=%6$d
                share.coordinator.state.topic.min.isr=%7$d
                # Deleted topics must not fill the disk that the next load is measured on.
                log.segment.delete.delay.ms=1000
                """.formatted(port + 100, port, logs, node, voters(), nodes == 1 ? 1 : 3, nodes == 1 ? 1 : 2);
    }

    private String voters() {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(voter -> voter + "@127.0.0.1:" + (port - node + voter + 100))
                .collect(Collectors.joining(","));
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
