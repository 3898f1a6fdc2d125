package io.forebay.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.ForebayProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where a server must not start, it says why in one line and ends with 1; what is there stays as it was. */
class StartRefusalTest {

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static ForebayProcess on(String name, Path store) {
        return new ForebayProcess(name, store, Map.of());
    }

    private static void assertRefused(CommandRun run, String... words) {
        assertThat(run.exitCode()).as(run.stderr()).isEqualTo(1);
        assertThat(run.stdout()).isEmpty();
        assertThat(run.stderr()
                        .lines()
                        .filter(line -> line.startsWith("forebay: "))
                        .toList())
                .singleElement()
                .asString()
                .contains(words);
        assertThat(run.stderr()).doesNotContain("\tat io.forebay");
    }

    @Test
    void onAFolderInUse() throws ExecutionException, InterruptedException {
        ForebayProcess server = BROKER.server();
        try (ForebayProcess second = on("StartRefusalTest-in-use", server.store())) {
            assertRefused(second.startRefused(), server.store().toString(), "in use", Long.toString(server.pid()));
        }

        String topic = BROKER.createTopic("still-served", 1, Map.of());
        assertThat(BROKER.admin().listTopics().names().get()).contains(topic);
    }

    @Test
    void onAFolderOfANewerFormat() throws IOException {
        try (ForebayProcess server =
                on("StartRefusalTest-newer", BrokerExtension.freshFolder("StartRefusalTest-newer"))) {
            server.start();
            assertThat(server.stop()).isIn(0, 143);
            Path format = server.store().resolve(".forebay").resolve("format");
            String text = Files.readString(format);
            Files.writeString(format, text.replaceAll("version [0-9]+", "version 999"));

            assertRefused(server.startRefused(), "version 999", "newer");

            Files.writeString(format, text);
            server.start();
        }
    }

    @Test
    void onMetadataThatLacksAFile() throws IOException {
        try (ForebayProcess server =
                on("StartRefusalTest-metadata", BrokerExtension.freshFolder("StartRefusalTest-metadata"))) {
            server.start();
            assertThat(server.stop()).isIn(0, 143);
            Path file;
            try (Stream<Path> tree = Files.walk(server.store().resolve("root/journal"))) {
                file = tree.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
            }
            byte[] content = Files.readAllBytes(file);
            Files.delete(file);

            assertRefused(server.startRefused(), "metadata", file.getFileName().toString());

            Files.write(file, content);
            server.start();
        }
    }

    @Test
    void onWhatIsNoFolder() throws IOException {
        Path file = Files.writeString(BrokerExtension.freshFolder("StartRefusalTest-file"), "a file");
        try (ForebayProcess server = on("StartRefusalTest-file", file)) {
            assertRefused(server.startRefused(), file.toString());
            assertThat(file).hasContent("a file");
        }
    }

    @Test
    void onAPortInUse() {
        String bootstrap = BROKER.server().bootstrap();
        String port = bootstrap.substring(bootstrap.lastIndexOf(':') + 1);
        Path store = BrokerExtension.freshFolder("StartRefusalTest-port");
        try (ForebayProcess second = on("StartRefusalTest-port", store).at(bootstrap)) {
            assertRefused(second.startRefused(), "port " + port, "in use", "--listen");
            assertThat(store).doesNotExist();
        }
    }
}
