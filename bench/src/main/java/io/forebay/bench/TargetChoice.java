package io.forebay.bench;

import io.forebay.bench.target.Children;
import io.forebay.bench.target.ForebayTarget;
import io.forebay.bench.target.KafkaTarget;
import io.forebay.bench.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the targets that the command line names.
 *
 * @param children where their processes are registered
 * @param root folder of the project
 * @param heap largest heap of each
 * @param kafkaPort first port for Kafka
 * @param forebayPort first port for Forebay
 */
record TargetChoice(Children children, Path root, String heap, int kafkaPort, int forebayPort) {
    /** Targets by name, in the given order. */
    Map<String, Target> of(List<String> names) throws IOException {
        Map<String, Target> targets = new LinkedHashMap<>();
        for (String name : names) {
            targets.put(name, target(name));
        }
        return targets;
    }

    private Target target(String name) throws IOException {
        return switch (name) {
            case "kafka" -> kafka(name, kafkaPort);
            case "kafka2" -> kafka(name, kafkaPort + 1);
            case "os" -> forebay(name, forebayPort);
            case "always" -> forebay(name, forebayPort + 1);
            default -> throw new IllegalArgumentException("unknown target " + name);
        };
    }

    private Target kafka(String name, int port) throws IOException {
        String classPath = Files.readString(root.resolve("bench/target/kafka.classpath"));
        return new KafkaTarget(children, name, classPath.trim(), port, heap);
    }

    private Target forebay(String sync, int port) {
        return new ForebayTarget(children, sync, root.resolve("bin/forebay"), port, heap);
    }
}
