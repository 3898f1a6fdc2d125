package io.forebay.server.cli.topic;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.TextTable;
import io.forebay.server.cli.terminal.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows partitions, offsets and settings of topics. */
@Command(name = "describe", description = "Show partitions, offsets and settings of topics.")
final class TopicDescribeCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of topics.")
    List<String> names = new ArrayList<>();

    @Option(names = "--all-configs", description = "Show settings that have their default, too.")
    boolean allConfigs;

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    private record View(
            TopicDescription topic,
            Map<TopicPartition, Long> earliest,
            Map<TopicPartition, Long> latest,
            Map<String, String> settings) {
        long records() {
            return latest.entrySet().stream()
                    .mapToLong(entry -> entry.getValue() - earliest.getOrDefault(entry.getKey(), 0L))
                    .sum();
        }
    }

    TopicDescribeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (BrokerAdmin broker = client.connect()) {
            List<View> views = new ArrayList<>();
            for (String name : names) {
                views.add(look(broker, name));
            }
            if (json) {
                console.out()
                        .println(Json.text(
                                views.stream().map(TopicDescribeCommand::toJson).toList()));
            } else {
                views.forEach(this::print);
            }
        }
        return ExitCode.DONE;
    }

    private View look(BrokerAdmin broker, String name) {
        TopicDescription topic = broker.topic(name);
        Collection<TopicPartition> partitions = BrokerAdmin.partitions(topic);
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
        Map<String, String> settings = new TreeMap<>();
        for (ConfigEntry entry : broker.await(
                        broker.admin().describeConfigs(List.of(resource)).all())
                .getOrDefault(resource, new Config(List.of()))
                .entries()) {
            if (allConfigs || entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG) {
                settings.put(entry.name(), String.valueOf(entry.value()));
            }
        }
        return new View(
                topic,
                broker.offsets(partitions, OffsetSpec.earliest()),
                broker.offsets(partitions, OffsetSpec.latest()),
                settings);
    }

    private void print(View view) {
        TopicDescription topic = view.topic();
        console.out()
                .println(topic.name() + "  id " + topic.topicId() + "  "
                        + Words.count(topic.partitions().size(), "partition") + "  "
                        + Words.count(view.records(), "offset") + (topic.isInternal() ? "  internal" : ""));
        view.settings().forEach((key, value) -> console.out().println("  " + key + " = " + value));
        TextTable table = new TextTable("  partition", "leader", "earliest", "end");
        for (TopicPartitionInfo partition : topic.partitions()) {
            TopicPartition key = new TopicPartition(topic.name(), partition.partition());
            table.row(
                    "  " + partition.partition(),
                    leader(partition).map(Node::idString).orElse("none"),
                    view.earliest().getOrDefault(key, -1L),
                    view.latest().getOrDefault(key, -1L));
        }
        table.print(console.out());
    }

    private static Map<String, Object> toJson(View view) {
        TopicDescription topic = view.topic();
        List<Object> partitions = new ArrayList<>();
        for (TopicPartitionInfo partition : topic.partitions()) {
            TopicPartition key = new TopicPartition(topic.name(), partition.partition());
            partitions.add(Json.object(
                    "partition",
                    partition.partition(),
                    "leader",
                    leader(partition).map(Node::id),
                    "earliest",
                    view.earliest().getOrDefault(key, -1L),
                    "end",
                    view.latest().getOrDefault(key, -1L)));
        }
        return Json.object(
                "topic",
                topic.name(),
                "id",
                topic.topicId(),
                "internal",
                topic.isInternal(),
                "settings",
                view.settings(),
                "partitions",
                partitions);
    }

    private static Optional<Node> leader(TopicPartitionInfo partition) {
        return Optional.ofNullable(partition.leader());
    }
}
