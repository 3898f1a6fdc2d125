package io.forebay.server.cli.bench;

import io.forebay.model.Clock;
import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.ProgressLine;
import io.forebay.server.cli.terminal.StopRequest;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.cli.terminal.Words;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sends and reads at the same time, and measures how long records are on their way. */
@Command(
        name = "e2e",
        description = {
            "Send records and read them at the same time; measure how long they are on their way.",
            "Latency counts from the moment a record was meant to be sent."
        })
final class BenchEndToEndCommand implements Callable<Integer> {
    private static final long PROGRESS_INTERVAL_MS = 1_000;
    /** As many as go would only measure how long records wait in this process. */
    private static final double PRESET_RATE = 1_000;

    private static final Duration PRESET_DURATION = Duration.ofSeconds(10);
    private static final Duration ARRIVAL_PATIENCE = Duration.ofSeconds(15);

    private final Surroundings surroundings;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Mixin
    TopicOptions topic = new TopicOptions();

    @Mixin
    LoadOptions load = new LoadOptions();

    @Mixin
    FetchOptions fetch = new FetchOptions();

    @Option(names = "--json", description = "Print the summary in JSON.")
    boolean json;

    BenchEndToEndCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        load.preset(PRESET_RATE, PRESET_DURATION);
        load.check(Stamp.BYTES);
        Collection<TopicPartition> partitions;
        try (BrokerAdmin broker = client.connect()) {
            partitions = topic.make(broker);
        }
        Clock clock = surroundings.clock();
        long runId = clock.wallMs() * 1_000_003L ^ clock.nanos();
        double cpuBefore = ProcessCpu.seconds();
        try (StopRequest stop = new StopRequest(surroundings.stopSignal());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(client.properties(load.producerProperties()))) {
            ArrivalLoad arrivals = new ArrivalLoad(
                    new KafkaConsumer<>(client.properties(fetch.properties())), partitions, runId, clock);
            Thread reader = new Thread(arrivals, "bench-reader");
            reader.setDaemon(true);
            reader.start();
            arrivals.awaitReady();
            ProduceLoad sending =
                    new ProduceLoad(load, topic, partitions.size(), Payloads.stamped(load.recordBytes, runId), clock);
            arrivals.measureFrom(clock.nanos() + load.warmup.toNanos());
            ProgressLine progress = new ProgressLine(surroundings.console(), clock, PROGRESS_INTERVAL_MS);
            sending.run(
                    producer,
                    stop,
                    progress,
                    () -> arrivals.arrived().recentWords(clock) + ", "
                            + arrivals.latencies().recentWords());
            progress.clear();
            long wanted = sending.sent() - sending.failures();
            boolean all = arrivals.awaitRecords(wanted, ARRIVAL_PATIENCE);
            arrivals.stop();
            reader.join(TimeUnit.SECONDS.toMillis(5));
            report(sending, arrivals, partitions.size(), ProcessCpu.seconds() - cpuBefore);
            fail(sending, arrivals, wanted, all);
        }
        return ExitCode.DONE;
    }

    private static void fail(ProduceLoad sending, ArrivalLoad arrivals, long wanted, boolean all) {
        sending.firstFailure().ifPresent(failure -> {
            throw CommandFailure.failed(
                    Words.count(sending.failures(), "record") + " not acknowledged: "
                            + BrokerFailures.explain(failure).getMessage(),
                    failure);
        });
        arrivals.failure().ifPresent(failure -> {
            throw BrokerFailures.explain(failure);
        });
        if (!all) {
            throw CommandFailure.failed(Words.count(wanted, "record") + " acknowledged, but only "
                    + Words.count(arrivals.seen(), "record") + " arrived within "
                    + Words.seconds(ARRIVAL_PATIENCE.toMillis() / 1e3));
        }
    }

    private void report(ProduceLoad sending, ArrivalLoad arrivals, int partitions, double cpuSeconds) {
        if (json) {
            Map<String, Object> result = Json.object("bench", "e2e", "topic", topic.name, "partitions", partitions);
            result.putAll(arrivals.arrived().toJson());
            result.put("sent", sending.sent());
            result.put("failures", sending.failures());
            result.put("endToEndMs", arrivals.latencies().toJson());
            result.put("acknowledgeMs", sending.latencies().toJson());
            result.put("clientCpuSeconds", cpuSeconds);
            surroundings.console().out().println(Json.text(result));
        } else {
            surroundings.console().out().println("arrived " + arrivals.arrived().words());
            surroundings
                    .console()
                    .out()
                    .println("end to end " + arrivals.latencies().words());
            surroundings
                    .console()
                    .out()
                    .println("acknowledged " + sending.latencies().words());
            surroundings.console().out().println("client CPU " + Words.seconds(cpuSeconds));
        }
        surroundings.console().out().flush();
    }
}
