package io.forebay.server.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.SystemClock;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.StopRequest;
import io.forebay.server.cli.terminal.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class ProduceCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Surroundings surroundings = new Surroundings(
            Console.of(
                    InputStream.nullInputStream(),
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8)),
            new SystemClock(),
            stop -> {});
    private final ProduceCommand command = new ProduceCommand(surroundings);
    private final ProduceOutcome outcome = new ProduceOutcome(surroundings.clock());

    @Test
    void badLineIsToldWithWhatWasSentBeforeIt() {
        command.keySeparator = Optional.of(":");
        command.json = true;

        produce("a:1\nb:2\nc:3\nfour\ne:5\n", 1_000);

        assertThat(outcome.complete()).isFalse();
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("forebay: line 4 has no key separator ':'; 3 records before it were sent");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"sent\":3,\"acknowledged\":3")
                .contains("\"failure\":\"line 4 has no key separator ':'\"");
    }

    @Test
    void lineThatIsTooLongIsToldWithItsNumber() {
        produce("a\n" + "b".repeat(200_000) + "\n", 100_000);

        assertThat(outcome.complete()).isFalse();
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "forebay: cannot read line 2: it is longer than 100000 bytes; 1 record before it was sent");
    }

    @Test
    void everyLineSentIsASuccess() {
        produce("a\nb\n", 1_000);

        assertThat(outcome.complete()).isTrue();
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("produced 2 records");
    }

    private void produce(String text, int maxLineBytes) {
        command.topic = "t";
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        try (StopRequest stop = new StopRequest(surroundings.stopSignal());
                MockProducer<byte[], byte[]> producer =
                        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer())) {
            command.send(producer, new LineReader(in, maxLineBytes), outcome, stop);
        }
        command.report(outcome);
    }
}
