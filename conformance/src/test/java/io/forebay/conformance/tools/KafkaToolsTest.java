package io.forebay.conformance.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Eventually;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The command line tools that come with Apache Kafka do with this broker what they do with Kafka. */
class KafkaToolsTest {

    private static final String GROUPS = "consumer.group.ConsumerGroupCommand";
    private static final String CONSOLE_CONSUMER = "consumer.ConsoleConsumer";

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static ToolRun run(String tool, String... arguments) {
        return runWithInput("", tool, arguments);
    }

    private static ToolRun runWithInput(String input, String tool, String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "--bootstrap-server";
        all[1] = BROKER.bootstrap();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return ToolRun.withInput(input, tool, all);
    }

    private static void produceLines(String topic, String lines) {
        ToolRun ignored = runWithInput(
                        lines,
                        "ConsoleProducer",
                        "--topic",
                        topic,
                        "--reader-property",
                        "parse.key=true",
                        "--reader-property",
                        "key.separator=:")
                .succeeded();
    }

    @Test
    void topicsAreCreatedListedDescribedGrownAndDeleted() {
        String topic = BROKER.topicName("topics");

        assertThat(run(
                                "TopicCommand",
                                "--create",
                                "--topic",
                                topic,
                                "--partitions",
                                "3",
                                "--config",
                                "retention.ms=3600000")
                        .succeeded()
                        .output())
                .contains("Created topic " + topic + ".");
        assertThat(run("TopicCommand", "--list").succeeded().output().lines()).contains(topic);
        assertThat(run("TopicCommand", "--describe", "--topic", topic)
                        .succeeded()
                        .output())
                .contains("PartitionCount: 3")
                .contains("ReplicationFactor: 1")
                .contains("retention.ms=3600000")
                .containsPattern("Topic: " + topic + "\tPartition: 2\tLeader: (\\d+)\tReplicas: \\1\tIsr: \\1");

        ToolRun twice = run("TopicCommand", "--create", "--topic", topic, "--partitions", "3");
        assertThat(twice.exitCode()).isEqualTo(1);
        assertThat(twice.output()).contains("Topic '" + topic + "' already exists.");

        assertThat(run("TopicCommand", "--alter", "--topic", topic, "--partitions", "5")
                        .exitCode())
                .isZero();
        assertThat(run("TopicCommand", "--describe", "--topic", topic)
                        .succeeded()
                        .output())
                .contains("PartitionCount: 5");
        ToolRun fewer = run("TopicCommand", "--alter", "--topic", topic, "--partitions", "2");
        assertThat(fewer.exitCode()).isEqualTo(1);
        assertThat(fewer.output()).contains("The topic " + topic + " currently has 5 partition(s)");

        assertThat(run("TopicCommand", "--delete", "--topic", topic).exitCode()).isZero();
        Eventually.holds(() -> assertThat(
                        run("TopicCommand", "--list").succeeded().output().lines())
                .doesNotContain(topic));
        ToolRun gone = run("TopicCommand", "--delete", "--topic", topic);
        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.output()).contains("Topic '" + topic + "' does not exist as expected");
    }

    @Test
    void topicConfigsAreSetShownAndRemoved() {
        String topic = BROKER.createTopic("configs", 1, Map.of("retention.ms", "3600000"));
        String[] describe = {"--describe", "--entity-type", "topics", "--entity-name", topic};

        assertThat(run(
                                "ConfigCommand",
                                "--alter",
                                "--entity-type",
                                "topics",
                                "--entity-name",
                                topic,
                                "--add-config",
                                "max.message.bytes=12345")
                        .succeeded()
                        .output())
                .contains("Completed updating config for topic " + topic + ".");
        assertThat(run("ConfigCommand", describe).succeeded().output())
                .contains(
                        "max.message.bytes=12345 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:max.message.bytes=12345")
                .contains("retention.ms=3600000");

        ToolRun removed = run(
                        "ConfigCommand",
                        "--alter",
                        "--entity-type",
                        "topics",
                        "--entity-name",
                        topic,
                        "--delete-config",
                        "max.message.bytes")
                .succeeded();
        assertThat(removed.output()).contains("Completed updating config");
        assertThat(run("ConfigCommand", describe).succeeded().output())
                .doesNotContain("max.message.bytes")
                .contains("retention.ms=3600000");

        ToolRun invalid = run(
                "ConfigCommand",
                "--alter",
                "--entity-type",
                "topics",
                "--entity-name",
                topic,
                "--add-config",
                "cleanup.policy=nonsense");
        assertThat(invalid.exitCode()).isEqualTo(1);
        assertThat(invalid.errors()).contains("cleanup.policy");
    }

    @Test
    void brokerConfigsAreShown() {
        assertThat(run("ConfigCommand", "--describe", "--entity-type", "brokers", "--all")
                        .succeeded()
                        .output())
                .containsPattern("(?m)^  message\\.max\\.bytes=\\d+ sensitive=false synonyms=\\{");
    }

    @Test
    void consoleProducerAndConsumerCarryKeysAndValues() {
        String topic = BROKER.createTopic("console", 1, Map.of());
        produceLines(topic, "a:1\nb:2\nc:3\n");

        for (String protocol : new String[] {"classic", "consumer"}) {
            ToolRun read = run(
                            CONSOLE_CONSUMER,
                            "--topic",
                            topic,
                            "--from-beginning",
                            "--max-messages",
                            "3",
                            "--group",
                            topic + "-" + protocol,
                            "--command-property",
                            "group.protocol=" + protocol,
                            "--formatter-property",
                            "print.key=true")
                    .succeeded();
            assertThat(read.output()).isEqualTo("a\t1\nb\t2\nc\t3\n");
            assertThat(read.errors()).contains("Processed a total of 3 messages");
        }
    }

    @Test
    void offsetsAreShownAndRecordsDeleted() throws IOException {
        String topic = BROKER.createTopic("offsets", 1, Map.of());
        produceLines(topic, "a:1\nb:2\nc:3\n");

        assertThat(run("GetOffsetShell", "--topic", topic).succeeded().output()).isEqualTo(topic + ":0:3\n");
        assertThat(run("GetOffsetShell", "--topic", topic, "--time", "earliest")
                        .succeeded()
                        .output())
                .isEqualTo(topic + ":0:0\n");
        assertThat(run("GetOffsetShell", "--topic", topic, "--time", "max-timestamp")
                        .succeeded()
                        .output())
                .containsPattern(topic + ":0:[012]\n");

        Path offsets =
                Files.createTempFile(Files.createDirectories(Settings.target().resolve("commands")), "del", ".json");
        Files.writeString(
                offsets, "{\"partitions\":[{\"topic\":\"" + topic + "\",\"partition\":0,\"offset\":2}],\"version\":1}");
        assertThat(run("DeleteRecordsCommand", "--offset-json-file", offsets.toString())
                        .succeeded()
                        .output())
                .contains("partition: " + topic + "-0\tlow_watermark: 2");
        assertThat(run("GetOffsetShell", "--topic", topic, "--time", "earliest")
                        .succeeded()
                        .output())
                .isEqualTo(topic + ":0:2\n");
        assertThat(run(CONSOLE_CONSUMER, "--topic", topic, "--from-beginning", "--max-messages", "1")
                        .succeeded()
                        .output())
                .isEqualTo("3\n");
    }

    @Test
    void groupsAreListedDescribedResetAndDeleted() {
        String topic = BROKER.createTopic("groups", 1, Map.of());
        String group = topic + "-group";
        produceLines(topic, "a:1\nb:2\nc:3\n");
        ToolRun read = run(
                        CONSOLE_CONSUMER, "--topic", topic, "--from-beginning", "--max-messages", "2", "--group", group)
                .succeeded();
        assertThat(read.output()).isEqualTo("1\n2\n");

        assertThat(run(GROUPS, "--list").succeeded().output().lines()).contains(group);
        assertThat(run("GroupsCommand", "--list").succeeded().output())
                .containsPattern("(?m)^" + group + " +Classic +consumer");
        ToolRun described = run(GROUPS, "--describe", "--group", group).succeeded();
        assertThat(described.output() + described.errors())
                .contains("Consumer group '" + group + "' has no active members.")
                .containsPattern(group + " +" + topic + " +0 +2 +3 +1 +- +- +-");
        assertThat(run(GROUPS, "--describe", "--group", group, "--state")
                        .succeeded()
                        .output())
                .containsPattern(group + " .* Empty +0");

        assertThat(run(GROUPS, "--reset-offsets", "--to-earliest", "--group", group, "--topic", topic, "--execute")
                        .succeeded()
                        .output())
                .containsPattern(group + " +" + topic + " +0 +0");
        assertThat(run(GROUPS, "--describe", "--group", group).succeeded().output())
                .containsPattern(group + " +" + topic + " +0 +0 +3 +3");

        assertThat(run(GROUPS, "--delete-offsets", "--group", group, "--topic", topic)
                        .succeeded()
                        .output())
                .contains("Request succeeded for deleting offsets from group " + group);
        String again = topic + "-again";
        ToolRun ignored = run(
                        CONSOLE_CONSUMER, "--topic", topic, "--from-beginning", "--max-messages", "3", "--group", again)
                .succeeded();
        assertThat(run(GROUPS, "--delete", "--group", again).succeeded().output())
                .contains("Deletion of requested consumer groups ('" + again + "') was successful.");
        assertThat(run(GROUPS, "--describe", "--group", again).output()).contains("Group " + again + " not found.");
    }

    @Test
    void logDirsApiVersionsAndClusterIdAreShown() {
        String topic = BROKER.createTopic("dirs", 2, Map.of());
        produceLines(topic, "a:1\nb:2\nc:3\n");

        assertThat(run("LogDirsCommand", "--describe", "--topic-list", topic)
                        .succeeded()
                        .output())
                .contains("\"partition\":\"" + topic + "-0\"")
                .contains("\"partition\":\"" + topic + "-1\"")
                .containsPattern("\"size\":[1-9]");
        assertThat(run("BrokerApiVersionsCommand").succeeded().output())
                .contains(BROKER.bootstrap() + " (id: ")
                .containsPattern("Produce\\(0\\): 0 to \\d+ \\[usable: \\d+\\]")
                .containsPattern("Fetch\\(1\\): 4 to \\d+ \\[usable: \\d+\\]")
                .doesNotContain("UNKNOWN");
        assertThat(ToolRun.of("ClusterTool", "cluster-id", "--bootstrap-server", BROKER.bootstrap())
                        .succeeded()
                        .output())
                .containsPattern("Cluster ID: \\S{22}\n");
    }

    @Test
    void verifiableProducerAndConsumerAgree() {
        String topic = BROKER.createTopic("verifiable", 2, Map.of());

        String bootstrap = BROKER.bootstrap();
        ToolRun produced = ToolRun.forked(
                        "VerifiableProducer",
                        "--bootstrap-server",
                        bootstrap,
                        "--topic",
                        topic,
                        "--max-messages",
                        "100",
                        "--acks",
                        "-1")
                .succeeded();
        assertThat(produced.output()).contains("\"sent\":100,\"acked\":100");
        ToolRun consumed = ToolRun.forked(
                        "VerifiableConsumer",
                        "--bootstrap-server",
                        bootstrap,
                        "--topic",
                        topic,
                        "--max-messages",
                        "100",
                        "--group-id",
                        topic + "-group",
                        "--reset-policy",
                        "earliest")
                .succeeded();
        assertThat(consumed.output()).contains("\"offsets_committed\"").contains("\"success\":true");
    }

    @Test
    void performanceToolsFinish() {
        String topic = BROKER.createTopic("performance", 4, Map.of());

        assertThat(run(
                                "ProducerPerformance",
                                "--topic",
                                topic,
                                "--num-records",
                                "5000",
                                "--record-size",
                                "100",
                                "--throughput",
                                "-1")
                        .succeeded()
                        .output())
                .contains("5000 records sent");
        assertThat(run("ConsumerPerformance", "--topic", topic, "--num-records", "5000")
                        .succeeded()
                        .output()
                        .lines())
                .anyMatch(line -> line.contains(", 5000, "));
        assertThat(run(
                                "EndToEndLatency",
                                "--topic",
                                topic,
                                "--num-records",
                                "20",
                                "--producer-acks",
                                "all",
                                "--record-size",
                                "100")
                        .succeeded()
                        .output())
                .contains("Percentiles: 50th");
    }
}
