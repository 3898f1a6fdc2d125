package io.forebay.server.cli.topic;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes settings of a topic or adds partitions. */
@Command(name = "alter", description = "Change settings of a topic, or add partitions.")
final class TopicAlterCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "NAME", description = "Name of the topic.")
    String name = "";

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Number of partitions it shall have; it can only grow, and records stay where they are.")
    Optional<Integer> partitions = Optional.empty();

    @Option(
            names = "--config",
            paramLabel = "key=value",
            description = "Setting to set, e.g. retention.ms=3600000: as in Kafka, numbers have no units. May be given"
                    + " several times.")
    Map<String, String> config = new LinkedHashMap<>();

    @Option(
            names = "--delete-config",
            paramLabel = "key",
            description = "Setting that shall have its default again. May be given several times.")
    List<String> deleteConfig = new ArrayList<>();

    TopicAlterCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (partitions.isEmpty() && config.isEmpty() && deleteConfig.isEmpty()) {
            throw CommandFailure.usage("nothing to do: give --partitions, --config or --delete-config");
        }
        try (BrokerAdmin broker = client.connect()) {
            TopicDescription before = broker.topic(name);
            if (!config.isEmpty() || !deleteConfig.isEmpty()) {
                alterSettings(broker);
            }
            partitions.ifPresent(
                    count -> addPartitions(broker, before.partitions().size(), count));
        }
        return ExitCode.DONE;
    }

    private void alterSettings(BrokerAdmin broker) {
        List<AlterConfigOp> changes = new ArrayList<>();
        config.forEach(
                (key, value) -> changes.add(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET)));
        deleteConfig.forEach(
                key -> changes.add(new AlterConfigOp(new ConfigEntry(key, ""), AlterConfigOp.OpType.DELETE)));
        try {
            broker.await(broker.admin()
                    .incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, name), changes))
                    .all());
        } catch (CommandFailure refusal) {
            throw TopicSettingNames.explain(
                    refusal,
                    changes.stream().map(change -> change.configEntry().name()).toList());
        }
        config.forEach((key, value) -> console.out().println("set " + key + " = " + value + " on '" + name + "'"));
        deleteConfig.forEach(key -> console.out().println("set " + key + " back to its default on '" + name + "'"));
    }

    private void addPartitions(BrokerAdmin broker, int before, int wanted) {
        if (wanted < before) {
            throw CommandFailure.failed(
                    "'" + name + "' has " + Words.count(before, "partition") + ": the number can only grow");
        }
        if (wanted > before) {
            broker.await(broker.admin()
                    .createPartitions(Map.of(name, NewPartitions.increaseTo(wanted)))
                    .all());
        }
        console.out().println("'" + name + "' has " + Words.count(wanted, "partition"));
    }
}
