package io.forebay.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClientCommandTest {

    @Test
    @Timeout(20)
    void brokerThatIsNotThereIsToldInOneSentence() throws IOException {
        int port = freePort();

        for (String command : new String[] {"topic list", "group list", "produce t", "consume t", "bench produce"}) {
            CommandRun run = CommandRun.of((command + " --bootstrap 127.0.0.1:" + port).split(" ", -1));

            assertThat(run.exitCode()).as(command).isEqualTo(1);
            assertThat(run.out()).as(command).isEmpty();
            assertThat(run.err().lines())
                    .as(command)
                    .containsExactly("forebay: cannot reach a broker at 127.0.0.1:" + port
                            + ": is `bin/forebay start` running?");
        }
    }

    @Test
    @Timeout(20)
    void listenerThatIsNoBrokerIsToldWithinSeconds() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CommandRun run = CommandRun.of("topic", "list", "--bootstrap", "127.0.0.1:" + silent.getLocalPort());

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("accepts connections but does not answer like a Kafka broker");
        }
    }

    @Test
    void hostThatDoesNotExistIsNamed() {
        CommandRun run = CommandRun.of("topic", "list", "--bootstrap", "no-such-host.invalid:9092");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("forebay: there is no host 'no-such-host.invalid'");
    }

    @Test
    void verboseShowsTheStackTrace() throws IOException {
        CommandRun run = CommandRun.of("topic", "list", "--verbose", "--bootstrap", "127.0.0.1:" + freePort());

        assertThat(run.err()).contains("cannot reach a broker", "at io.forebay.server.cli.");
    }

    @Test
    void wrongUseIsToldBeforeAnybodyIsAsked() {
        usage("bad value 'x' for --bootstrap", "topic", "list", "--bootstrap", "x");
        usage("at least 1", "topic", "create", "t", "--partitions", "0");
        usage("without transactions", "produce", "t", "--client", "transactional.id=x");
        usage("nothing to do", "topic", "alter", "t");
        usage("give either --to or --shift", "group", "reset", "g");
        usage("give either --to or --shift", "group", "reset", "g", "--to", "end", "--shift", "1");
        usage("for --to: expected beginning, end", "group", "reset", "g", "--to", "tomorrow");
        usage("for --from: expected beginning, end", "consume", "t", "--from", "yesterday");
        usage("exclude each other", "consume", "t", "--group", "g", "--partition", "0");
        usage("with --group, --from", "consume", "t", "--group", "g", "--from", "17");
        usage("for --format: expected value", "consume", "t", "--format", "nice");
        usage("bad field '%q'", "consume", "t", "--format", "%q");
        usage("for --acks: expected 0, 1, all", "produce", "t", "--acks", "2");
        usage("for --compression: expected none", "bench", "produce", "--compression", "zip");
        usage("for --isolation: expected read", "consume", "t", "--isolation", "serializable");
        usage("for --group-protocol: expected", "consume", "t", "--group-protocol", "share");
        usage("bad value 'soon' for --timeout: expected a time", "consume", "t", "--timeout", "soon");
        usage("bad value 'huge' for --record-bytes: expected a size", "bench", "produce", "--record-bytes", "huge");
        usage("bad value 'abc' for --partitions: expected a whole number", "topic", "create", "t", "--partitions=abc");
        usage("bad value 'x' for --max: expected a whole number", "consume", "t", "--max", "x");
        usage("bad value 'fast' for --rate: expected a number", "produce", "t", "--rate", "fast");
        usage("bad value 'src' for --header: expected name=value", "produce", "t", "--header", "src");
        usage("missing value for --compression: expected CODEC", "produce", "t", "--compression");
        usage("--record-bytes: expected at least 16", "bench", "e2e", "--record-bytes", "8");
        usage("--follow needs", "bench", "consume", "--follow");
        usage("cannot read --client-config", "topic", "list", "--client-config", "no/such/file");
        usage("missing parameter TOPIC", "produce");
        usage("only a folder can be inspected", "store", "inspect", "--store", "s3://bucket/x");
    }

    private static void usage(String expected, String... args) {
        CommandRun run = CommandRun.of(args);

        assertThat(run.exitCode()).as(expected).isEqualTo(2);
        assertThat(run.out()).as(expected).isEmpty();
        assertThat(run.err()).contains(expected, "Try 'forebay " + args[0]);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
