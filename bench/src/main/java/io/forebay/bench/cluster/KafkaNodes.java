package io.forebay.bench.cluster;

import io.forebay.bench.target.KafkaTarget;
import io.forebay.bench.target.Running;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One or three brokers of Kafka, each its own controller too. Used by one thread. Closing kills them. */
final class KafkaNodes implements AutoCloseable {
    private static final int FIRST_PORT = 19_592;

    private final Rig rig;
    private final Path folder;
    private final int nodes;
    private final List<Running> running = new ArrayList<>();

    KafkaNodes(Rig rig, int nodes) {
        this.rig = rig;
        this.folder = rig.fresh("kafka");
        this.nodes = nodes;
    }

    /** Starts all; returns at once. */
    void start() {
        for (int node = 1; node <= nodes; node++) {
            KafkaTarget target = new KafkaTarget(
                    rig.children(), "kafka-" + node, rig.kafkaClassPath(), FIRST_PORT + node - 1, "1g", node, nodes);
            try {
                running.add(target.start(
                        folder.resolve(Integer.toString(node)), rig.logs().resolve("kafka-" + node + ".log")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    String bootstrap() {
        return IntStream.range(0, nodes)
                .mapToObj(i -> "127.0.0.1:" + (FIRST_PORT + i))
                .collect(Collectors.joining(","));
    }

    List<Long> pids() {
        return running.stream().map(Running::pid).toList();
    }

    /** Where they keep everything. */
    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        for (Running each : running) {
            try {
                each.kill();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        running.clear();
    }
}
