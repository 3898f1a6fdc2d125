package io.forebay.server.cli.records;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.client.ProducerOptions;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.Pace;
import io.forebay.server.cli.terminal.ProgressLine;
import io.forebay.server.cli.terminal.StopRequest;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.cli.terminal.TextOptions;
import io.forebay.server.cli.terminal.Words;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Turns lines into records. */
@Command(
        name = "produce",
        description = {
            "Write lines of standard input or a file to a topic, one record each.",
            "Ends with 0 only if every record was acknowledged."
        })
public final class ProduceCommand implements Callable<Integer> {
    private static final int MAX_LINE_BYTES = 100 << 20;
    private static final int TOPIC_WAIT_MS = 5_000;
    private static final long PROGRESS_INTERVAL_MS = 500;

    private final Surroundings surroundings;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "TOPIC", description = "Topic; made if there is none and the broker does that.")
    String topic = "";

    @Option(names = "--file", paramLabel = "FILE", description = "Read this file instead of standard input.")
    Optional<Path> file = Optional.empty();

    @Option(
            names = "--key-separator",
            paramLabel = "TEXT",
            description = "What stands before it in a line is the key; \\t means tab (default: lines have no key).")
    Optional<String> keySeparator = Optional.empty();

    @Option(names = "--key", paramLabel = "TEXT", description = "The same key for every record.")
    Optional<String> key = Optional.empty();

    @Option(
            names = "--header",
            paramLabel = "name=value",
            description = "Header of every record. May be given several times.")
    Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--partition", paramLabel = "N", description = "Partition (default: by key, else any).")
    Optional<Integer> partition = Optional.empty();

    @Mixin
    ProducerOptions sending = new ProducerOptions();

    @Option(names = "--rate", paramLabel = "N", description = "At most N records a second (default: no limit).")
    double rate;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2m",
            converter = TextOptions.Span.class,
            description = "How long to go on trying to have a record acknowledged (default: ${DEFAULT-VALUE}).")
    Duration timeout = Duration.ZERO;

    @Option(names = "--json", description = "Print a summary in JSON on standard output.")
    boolean json;

    public ProduceCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws IOException {
        sending.check();
        if (client.properties(Map.of()).containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
            throw CommandFailure.usage("produce writes without transactions: leave out 'transactional.id'");
        }
        try (BrokerAdmin broker = client.connect()) {
            requireTopic(broker);
        }
        ProduceOutcome outcome = new ProduceOutcome(surroundings.clock());
        try (StopRequest stop = new StopRequest(surroundings.stopSignal());
                InputStream in = openInput()) {
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties(timeout))) {
                // A read of standard input cannot be woken: what was read by then is sent, and that is it.
                stop.wakeWith(() -> {
                    producer.flush();
                    stop.lastWordSaid();
                });
                send(producer, new LineReader(in, MAX_LINE_BYTES), outcome, stop);
                producer.flush();
            } catch (KafkaException e) {
                outcome.failed(e);
            }
            report(outcome);
        }
        return outcome.complete() ? ExitCode.DONE : ExitCode.FAILED;
    }

    /** Sends lines until they end, one is bad, a send has failed or somebody says stop. */
    void send(Producer<byte[], byte[]> producer, LineReader lines, ProduceOutcome outcome, StopRequest stop) {
        ProgressLine progress = new ProgressLine(surroundings.console(), surroundings.clock(), PROGRESS_INTERVAL_MS);
        Pace pace = new Pace(surroundings.clock(), rate);
        Optional<byte[]> separator = keySeparator.map(RecordLine::separator);
        for (long index = 0; !stop.requested() && outcome.firstFailure().isEmpty(); index++) {
            Optional<byte[]> line;
            try {
                line = lines.next();
            } catch (IOException e) {
                outcome.stoppedAt("cannot read line " + (index + 1) + ": " + e.getMessage());
                break;
            }
            if (line.isEmpty()) {
                break;
            }
            Optional<RecordLine> parts = separator.isEmpty()
                    ? Optional.of(RecordLine.value(line.get()))
                    : RecordLine.keyed(line.get(), separator.get());
            if (parts.isEmpty()) {
                outcome.stoppedAt("line " + (index + 1) + " has no key separator '" + keySeparator.orElse("") + "'");
                break;
            }
            pace.await(pace.intendedNanos(index));
            outcome.send(producer, record(parts.get()));
            progress.tick(outcome::sentence);
        }
        progress.clear();
    }

    private ProducerRecord<byte[], byte[]> record(RecordLine parts) {
        byte[] keyBytes = parts.key()
                .or(() -> key.map(text -> text.getBytes(StandardCharsets.UTF_8)))
                .orElse(null);
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, partition.orElse(null), keyBytes, parts.value());
        headers.forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        return record;
    }

    private void requireTopic(BrokerAdmin broker) {
        int count =
                broker.findTopic(topic).map(found -> found.partitions().size()).orElseGet(this::createByAsking);
        if (partition.isPresent() && (partition.get() < 0 || partition.get() >= count)) {
            throw CommandFailure.failed("topic '" + topic + "' has no partition " + partition.get() + ": it has "
                    + Words.count(count, "partition"));
        }
    }

    /** A producer's question makes the topic where the broker does that by itself. */
    private int createByAsking() {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties(Duration.ofMillis(TOPIC_WAIT_MS)))) {
            return producer.partitionsFor(topic).size();
        } catch (TimeoutException e) {
            throw CommandFailure.failed(
                    "there is no topic '" + topic + "' and the broker does not make it by itself: `forebay topic"
                            + " create " + topic + "`",
                    e);
        } catch (KafkaException e) {
            throw BrokerFailures.explain(e);
        }
    }

    private Map<String, Object> properties(Duration patience) {
        int patienceMs = (int) Math.min(Integer.MAX_VALUE, Math.max(1_000, patience.toMillis()));
        int lingerMs = (int) Math.min(patienceMs / 2, sending.linger().toMillis());
        Map<String, Object> wanted = sending.properties();
        wanted.put(ProducerConfig.LINGER_MS_CONFIG, lingerMs);
        wanted.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_LINE_BYTES);
        wanted.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, patienceMs);
        wanted.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(30_000, patienceMs - lingerMs));
        wanted.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, patienceMs);
        return client.properties(wanted);
    }

    private InputStream openInput() throws IOException {
        if (file.isEmpty()) {
            return new BufferedInputStream(surroundings.console().in());
        }
        if (!Files.isReadable(file.get())) {
            throw CommandFailure.failed("cannot read file '" + file.get() + "'");
        }
        return Files.newInputStream(file.get());
    }

    void report(ProduceOutcome outcome) {
        Console console = surroundings.console();
        if (json) {
            console.out().println(Json.text(outcome.toJson(topic)));
            console.out().flush();
        }
        outcome.badLine()
                .ifPresent(problem -> console.err()
                        .println("forebay: " + problem + "; " + Words.count(outcome.sent(), "record") + " before it "
                                + (outcome.sent() == 1 ? "was" : "were") + " sent"));
        outcome.firstFailure()
                .ifPresent(failure -> console.err()
                        .println("forebay: " + Words.count(outcome.unacknowledged(), "record") + " of " + outcome.sent()
                                + " not acknowledged: "
                                + BrokerFailures.explain(failure).getMessage()));
        if (outcome.complete() && !json) {
            console.err().println("produced " + outcome.sentence());
        }
    }
}
