package io.forebay.conformance.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.KeyedRecord;
import io.forebay.conformance.harness.PackageText;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Forebay's own commands against a running server: what they print, and the exit codes that scripts rely on. */
class ForebayCommandsTest {

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static CommandRun run(String... arguments) {
        return runWithInput("", arguments);
    }

    private static CommandRun runWithInput(String input, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--bootstrap";
        all[arguments.length + 1] = BROKER.bootstrap();
        return ForebayCommand.withInput(input, all);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void topicsFromCreationToDeletion() {
        String topic = BROKER.topicName("command");

        assertThat(run("topic", "create", topic, "--partitions", "3", "--config", "retention.ms=3600000")
                        .succeeded()
                        .stdout())
                .isEqualTo("created topic '" + topic + "' with 3 partitions\n");
        CommandRun twice = run("topic", "create", topic);
        assertThat(twice.exitCode()).isEqualTo(1);
        assertThat(twice.stderr()).contains("topic '" + topic + "' exists already");
        assertThat(run("topic", "create", topic + "-2", "--config", "retention.mss=1")
                        .stderr())
                .contains("unknown topic setting 'retention.mss'; did you mean 'retention.ms'?");
        assertThat(run("topic", "alter", topic, "--config", "cleanup.polcy=compact")
                        .stderr())
                .contains("unknown topic setting 'cleanup.polcy'; did you mean 'cleanup.policy'?");
        assertThat(run("topic", "list").succeeded().stdout().lines()).contains(topic);
        assertThat(run("topic", "alter", topic, "--partitions", "4", "--config", "max.message.bytes=2000")
                        .succeeded()
                        .stdout())
                .contains("'" + topic + "' has 4 partitions");
        assertThat(run("topic", "describe", topic, "--json").succeeded().stdout())
                .contains("\"topic\":\"" + topic + "\"")
                .contains("\"retention.ms\":\"3600000\"")
                .contains("\"max.message.bytes\":\"2000\"")
                .containsPattern("\"partition\":3,\"leader\":\\d+,\"earliest\":0,\"end\":0");
        assertThat(run("topic", "delete", topic).succeeded().stdout()).isEqualTo("deleted topic '" + topic + "'\n");
        assertThat(run("topic", "delete", topic).exitCode()).isEqualTo(1);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void linesGoInAndComeOutWithKeysAndHeaders() {
        String topic = BROKER.createTopic("lines", 1, Map.of());

        for (String codec : List.of("none", "zstd")) {
            CommandRun ignored = runWithInput(
                            "a\t1 " + codec + "\nb\t2\n",
                            "produce",
                            topic,
                            "--key-separator",
                            "\\t",
                            "--header",
                            "codec=" + codec,
                            "--compression",
                            codec)
                    .succeeded();
        }

        assertThat(run("consume", topic, "--max", "2", "--format", "%k|%v|%h|%o\\n")
                        .succeeded()
                        .stdout())
                .isEqualTo("a|1 none|codec=none|0\nb|2|codec=none|1\n");
        assertThat(run("consume", topic, "--format", "key-value")
                        .succeeded()
                        .stdout()
                        .lines())
                .hasSize(4);
        assertThat(run("consume", topic, "--from", "-1", "--format", "json")
                        .succeeded()
                        .stdout())
                .contains("\"offset\":3")
                .contains("\"key\":\"b\"")
                .contains("\"value\":\"2\"");
        CommandRun beyond = run("consume", topic, "--from", "99").succeeded();
        assertThat(beyond.stdout()).isEmpty();
        assertThat(beyond.stderr()).contains("--from 99 is beyond the end (offset 4)");
        CommandRun badLine = runWithInput("a:1\nb:2\nthree\n", "produce", topic, "--key-separator", ":", "--json");
        assertThat(badLine.exitCode()).isEqualTo(1);
        assertThat(badLine.stderr()).contains("line 3 has no key separator ':'; 2 records before it were sent");
        assertThat(badLine.stdout()).contains("\"acknowledged\":2").contains("\"failure\":\"line 3");
        CommandRun nowhere = run("consume", BROKER.topicName("nowhere"));
        assertThat(nowhere.exitCode()).isEqualTo(1);
        assertThat(nowhere.stderr()).contains("there is no topic");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aFileComesOutAsItWentIn() throws IOException {
        String topic = BROKER.createTopic("file", 1, Map.of());
        String text = PackageText.first(1 << 20).stream()
                .map(KeyedRecord::value)
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .collect(Collectors.joining());
        Path file = Files.writeString(
                Files.createTempFile(Files.createDirectories(Settings.target().resolve("commands")), "in", ".txt"),
                text);

        CommandRun ignored = run("produce", topic, "--file", file.toString(), "--compression", "zstd")
                .succeeded();

        assertThat(run("consume", topic).succeeded().stdout()).isEqualTo(text);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void groupsFromFirstReadToDeletion() {
        String topic = BROKER.createTopic("command-groups", 1, Map.of());
        CommandRun ignored = runWithInput("1\n2\n3\n", "produce", topic).succeeded();

        for (String protocol : List.of("classic", "consumer")) {
            String group = topic + "-" + protocol;
            assertThat(run("consume", topic, "--group", group, "--group-protocol", protocol, "--max", "2")
                            .succeeded()
                            .stdout())
                    .isEqualTo("1\n2\n");
            assertThat(run("group", "list").succeeded().stdout()).contains(group);
            assertThat(run("group", "describe", group, "--json").succeeded().stdout())
                    .contains("\"type\":\"" + protocol + "\"")
                    .contains("\"committed\":2,\"end\":3,\"lag\":1");
            assertThat(run("group", "reset", group, "--to", "earliest", "--execute")
                            .succeeded()
                            .stdout())
                    .contains(topic);
            assertThat(run("consume", topic, "--group", group, "--group-protocol", protocol)
                            .succeeded()
                            .stdout())
                    .isEqualTo("1\n2\n3\n");
            assertThat(run("group", "delete", group).succeeded().stdout()).contains("deleted group '" + group + "'");
            assertThat(run("group", "describe", group).exitCode()).isEqualTo(1);
            assertThat(run("group", "reset", group, "--to", "earliest").stderr())
                    .contains("there is no group '" + group + "'");
            assertThat(run("group", "reset", group, "--to", "latest", "--topic", topic, "--execute")
                            .succeeded()
                            .stdout())
                    .contains(topic);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void benchesEndWithASummary() {
        String topic = BROKER.createTopic("command-bench", 4, Map.of());

        assertThat(run("bench", "produce", "--topic", topic, "--records", "20000", "--json")
                        .succeeded()
                        .stdout())
                .contains("\"records\":20000");
        assertThat(run("bench", "consume", "--topic", topic, "--json")
                        .succeeded()
                        .stdout())
                .contains("\"records\":20000");
        assertThat(run("bench", "e2e", "--topic", topic, "--records", "2000", "--rate", "2000", "--json")
                        .succeeded()
                        .stdout())
                .contains("p99");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void wrongUseEndsWithTwoAndHelpWithNone() {
        assertThat(ForebayCommand.run("produce").exitCode()).isEqualTo(2);
        CommandRun unknown = ForebayCommand.run("start", "--set", "store.locl.sync=os");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.stderr()).contains("store.local.sync");
        assertThat(ForebayCommand.run("--version").succeeded().stdout()).contains("forebay");
        assertThat(ForebayCommand.run("topic", "create", "--help").succeeded().stdout())
                .contains("--partitions");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void saysWhenNobodyAnswers() {
        CommandRun lonely = ForebayCommand.run(
                "topic",
                "list",
                "--bootstrap",
                "127.0.0.1:1",
                "--client",
                "default.api.timeout.ms=2000",
                "--client",
                "request.timeout.ms=1000");
        assertThat(lonely.exitCode()).isEqualTo(1);
        assertThat(lonely.stderr()).contains("127.0.0.1:1");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theStoreIsShownInWords() {
        Path store = BROKER.server().store();
        String topic = BROKER.createTopic("inspected", 1, Map.of());
        CommandRun ignored = runWithInput("1\n2\n3\n", "produce", topic).succeeded();

        assertThat(ForebayCommand.run("store", "inspect", "--store", store.toString())
                        .succeeded()
                        .stdout())
                .contains("journal")
                .contains("shard");
    }
}
