package io.forebay.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.config.ForebayConfig;
import io.forebay.server.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartCommandTest {

    @Test
    void printsExactlyOneLineWhenReadyAndEndsWithTheNode() {
        FakeNode node = new FakeNode(Optional.empty());

        CommandRun run = CommandRun.with(node::start, stop -> {}, "", "start", "--listen", "127.0.0.1:0");

        assertThat(run.out()).isEqualTo("forebay ready on 127.0.0.1:9400" + System.lineSeparator());
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void stopSignalStopsTheNode() {
        FakeNode node = new FakeNode(Optional.empty());

        CommandRun run = CommandRun.with(node::start, Runnable::run, "", "start");

        assertThat(node.stops).isEqualTo(1);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void nodeThatEndsByItselfIsAFailure() {
        FakeNode node = new FakeNode(Optional.of("the store is gone"));

        CommandRun run = CommandRun.with(node::start, stop -> {}, "", "start");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("forebay: the store is gone" + System.lineSeparator());
    }

    @Test
    void nodeThatCannotStartIsAFailureInOneSentence() {
        CommandRun run = CommandRun.of("start");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("forebay: no node here" + System.lineSeparator());
    }

    @Test
    void optionsFileAndSetsMakeOneConfiguration(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("f.properties"), "node.id = 5\nnum.partitions = 3\n");
        FakeNode node = new FakeNode(Optional.empty());

        CommandRun run = CommandRun.with(
                node::start,
                stop -> {},
                "",
                "start",
                "--config",
                file.toString(),
                "--set",
                "num.partitions=4",
                "--set",
                "store.local.sync=os",
                "--store",
                folder.resolve("data").toString());

        assertThat(run.exitCode()).isZero();
        ForebayConfig config = node.configs.get(0);
        assertThat(config.node().id()).isEqualTo(5);
        assertThat(config.topics().partitions()).isEqualTo(4);
        assertThat(Path.of(config.store().location())).isEqualTo(folder.resolve("data"));
    }

    @Test
    void wrongConfigurationIsAUsageErrorAndStartsNothing() {
        FakeNode node = new FakeNode(Optional.empty());

        CommandRun run =
                CommandRun.with(node::start, stop -> {}, "", "start", "--set", "store.local.snyc=os", "--listen", "x");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(node.configs).isEmpty();
        assertThat(run.err().lines())
                .containsExactly(
                        "forebay: unknown setting 'store.local.snyc'; did you mean 'store.local.sync'?",
                        "forebay: bad value 'x' for 'listen': expected HOST:PORT, port 0 to 65535");
    }

    @Test
    void missingConfigurationFileIsNamed() {
        CommandRun run = CommandRun.of("start", "--config", "no/such/file");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("configuration file 'no/such/file' does not exist");
    }

    @Test
    void helpConfigListsEverySetting() {
        CommandRun run = CommandRun.of("start", "--help-config");

        assertThat(run.exitCode()).isZero();
        assertThat(ForebayConfig.defaults().entries()).allMatch(e -> run.out().contains("  " + e.key() + " = "));
    }

    private static final class FakeNode implements RunningNode {
        final List<ForebayConfig> configs = new ArrayList<>();
        private final Optional<String> end;
        int stops;

        FakeNode(Optional<String> end) {
            this.end = end;
        }

        RunningNode start(ForebayConfig config) {
            configs.add(config);
            return this;
        }

        @Override
        public HostPort listening() {
            return new HostPort("127.0.0.1", 9400);
        }

        @Override
        public void stop() {
            stops++;
        }

        @Override
        public Optional<String> awaitEnd() {
            return end;
        }
    }
}
