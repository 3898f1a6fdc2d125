package io.forebay.server.cli.bench;

import io.forebay.model.Clock;
import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.client.OffsetTarget;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.ProgressLine;
import io.forebay.server.cli.terminal.StopRequest;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.cli.terminal.TextOptions;
import io.forebay.server.cli.terminal.Words;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads, and measures throughput. */
@Command(name = "consume", description = "Read the records of a topic up to its current end; measure throughput.")
final class BenchConsumeCommand implements Callable<Integer> {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long PROGRESS_INTERVAL_MS = 1_000;

    private final Surroundings surroundings;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            defaultValue = "forebay-bench",
            description = "Topic to read (default: ${DEFAULT-VALUE}).")
    String topic = "";

    @Mixin
    FetchOptions fetch = new FetchOptions();

    @Option(
            names = "--from",
            paramLabel = "PLACE",
            defaultValue = "beginning",
            description = "beginning, end, an offset, -N, a time or @MILLISECONDS (default: ${DEFAULT-VALUE}).")
    String from = "";

    @Option(names = "--records", paramLabel = "N", description = "Stop after N records.")
    Optional<Long> records = Optional.empty();

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = TextOptions.Span.class,
            description = "Stop after this time.")
    Optional<Duration> duration = Optional.empty();

    @Option(names = "--follow", description = "Do not stop at the end; needs --records or --duration.")
    boolean follow;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = TextOptions.Span.class,
            description = "Fail when nothing came for this long (default: ${DEFAULT-VALUE}).")
    Duration timeout = Duration.ZERO;

    @Option(names = "--json", description = "Print the summary in JSON.")
    boolean json;

    BenchConsumeCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (follow && records.isEmpty() && duration.isEmpty()) {
            throw CommandFailure.usage("--follow needs --records or --duration");
        }
        OffsetTarget target = OffsetTarget.require("--from", from);
        try (BrokerAdmin broker = client.connect();
                StopRequest stop = new StopRequest(surroundings.stopSignal());
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(client.properties(fetch.properties()))) {
            stop.wakeWith(consumer::wakeup);
            Collection<TopicPartition> partitions = BrokerAdmin.partitions(broker.topic(topic));
            consumer.assign(partitions);
            target.resolve(broker, partitions).forEach(consumer::seek);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            double cpuBefore = ProcessCpu.seconds();
            LoadCount count = new LoadCount();
            try {
                read(consumer, ends, count, stop);
            } catch (WakeupException e) {
                // told to stop: what there is so far is reported
            }
            report(count, partitions.size(), ProcessCpu.seconds() - cpuBefore);
        }
        return ExitCode.DONE;
    }

    private void read(
            KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends, LoadCount count, StopRequest stop) {
        Clock clock = surroundings.clock();
        ProgressLine progress = new ProgressLine(surroundings.console(), clock, PROGRESS_INTERVAL_MS);
        long startNanos = clock.nanos();
        long timeLimitNanos = duration.map(Duration::toNanos).orElse(Long.MAX_VALUE);
        long lastRecordNanos = startNanos;
        count.begin(startNanos);
        while (!stop.requested()) {
            long now = clock.nanos();
            boolean enough = count.records() >= records.orElse(Long.MAX_VALUE) || now - startNanos >= timeLimitNanos;
            if (enough || (!follow && isAtEnd(consumer, ends))) {
                break;
            }
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            now = clock.nanos();
            if (!polled.isEmpty()) {
                lastRecordNanos = now;
            } else if (now - lastRecordNanos > timeout.toNanos()) {
                throw CommandFailure.failed(
                        "nothing came for " + Words.seconds(timeout.toMillis() / 1e3) + " although more was expected");
            }
            for (ConsumerRecord<byte[], byte[]> record : polled) {
                count.add(record.serializedKeySize() > 0 ? size(record) : record.serializedValueSize(), now);
            }
            progress.tick(() -> count.recentWords(clock));
        }
        progress.clear();
    }

    private static long size(ConsumerRecord<byte[], byte[]> record) {
        return (long) record.serializedKeySize() + Math.max(0, record.serializedValueSize());
    }

    private static boolean isAtEnd(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private void report(LoadCount count, int partitions, double cpuSeconds) {
        if (json) {
            Map<String, Object> result = Json.object("bench", "consume", "topic", topic, "partitions", partitions);
            result.putAll(count.toJson());
            result.put("clientCpuSeconds", cpuSeconds);
            surroundings.console().out().println(Json.text(result));
        } else {
            surroundings.console().out().println("consumed " + count.words());
            surroundings.console().out().println("client CPU " + Words.seconds(cpuSeconds));
        }
        surroundings.console().out().flush();
    }
}
