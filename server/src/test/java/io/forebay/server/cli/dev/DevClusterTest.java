package io.forebay.server.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.SystemClock;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.config.ConfigReading;
import io.forebay.server.config.ForebayConfig;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DevClusterTest {

    private static final List<String> FAKE = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx16m",
            "-cp",
            System.getProperty("java.class.path", ""),
            FakeDevNode.class.getName());

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<Runnable> stop = new CompletableFuture<>();
    private final DevCluster cluster = new DevCluster(
            new Surroundings(
                    Console.of(
                            InputStream.nullInputStream(),
                            new PrintStream(out, true, StandardCharsets.UTF_8),
                            new PrintStream(err, true, StandardCharsets.UTF_8)),
                    new SystemClock(),
                    stop::complete),
            FAKE);

    @Test
    void saysWhereClientsConnectAndWhatEachNodeSays() throws Exception {
        int code = run(2, "cluster.name=brief", "listen=127.0.0.1:19092");

        assertThat(code).isZero();
        assertThat(text(out)).isEqualTo("forebay ready on 127.0.0.1:19092,127.0.0.1:19093\n");
        assertThat(text(err))
                .contains(
                        "[1] forebay ready on somewhere\n",
                        "[2] arguments [start, --until-stdin-ends, --set, cluster.name=brief,",
                        "[2] ended with code 0\n",
                        "forebay: 2 nodes on store ");
    }

    @Test
    void endsItsNodesAndItsTemporaryStoreWhenItIsStopped() throws Exception {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread runner = new Thread(() -> {
            try {
                assertThat(run(2)).isZero();
                ended.complete(null);
            } catch (Exception | AssertionError e) {
                ended.completeExceptionally(e);
            }
        });
        runner.start();
        Runnable signal = stop.get(20, TimeUnit.SECONDS);
        long begin = System.nanoTime();
        while (text(out).isEmpty() && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(20)) {
            Thread.onSpinWait();
        }
        Matcher store = Pattern.compile("store=(\\S*forebay-dev-[^,\\]]+)").matcher(text(err));
        assertThat(store.find()).isTrue();
        assertThat(Path.of(store.group(1))).isDirectory();

        signal.run();

        ended.get(20, TimeUnit.SECONDS);
        assertThat(Files.exists(Path.of(store.group(1)))).isFalse();
        assertThat(text(err)).doesNotContain("ended with code");
    }

    @Test
    void fallsWithANodeThatDoesNotStart() {
        assertThatThrownBy(() -> run(3, "cluster.name=broken"))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("node 1 did not start: see what it says above");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void refusesWhatIsNoThrowAwayCluster() {
        assertThatThrownBy(() -> run(0)).hasMessageContaining("expected a number from 1 to 9");
        assertThatThrownBy(() -> run(2, "listen=10.1.2.3:9092")).hasMessageContaining("listens on this machine only");
        assertThatThrownBy(() -> run(2, "listen=127.0.0.1:65530")).hasMessageContaining("no room above");
    }

    private int run(int count, String... sets) throws InterruptedException {
        List<String> given = new ArrayList<>();
        for (String set : sets) {
            given.add("--set");
            given.add(set);
        }
        ForebayConfig config = ((ConfigReading.Valid) ForebayConfig.read(Optional.empty(), List.of(sets))).config();
        return cluster.run(count, given, config);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
