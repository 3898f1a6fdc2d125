package io.forebay.server.cli.bench;

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
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sends, and measures throughput and the time to the acknowledgement. */
@Command(
        name = "produce",
        description = {
            "Send records; measure throughput and the latency of acknowledgements.",
            "With --rate, latency counts from the moment a record was meant to be sent."
        })
final class BenchProduceCommand implements Callable<Integer> {
    private static final long PROGRESS_INTERVAL_MS = 1_000;

    private final Surroundings surroundings;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Mixin
    TopicOptions topic = new TopicOptions();

    @Mixin
    LoadOptions load = new LoadOptions();

    @Option(names = "--json", description = "Print the summary in JSON.")
    boolean json;

    BenchProduceCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        load.check(1);
        int partitions;
        try (BrokerAdmin broker = client.connect()) {
            partitions = topic.make(broker).size();
        }
        ProduceLoad run =
                new ProduceLoad(load, topic, partitions, Payloads.plain(load.recordBytes), surroundings.clock());
        ProgressLine progress = new ProgressLine(surroundings.console(), surroundings.clock(), PROGRESS_INTERVAL_MS);
        try (StopRequest stop = new StopRequest(surroundings.stopSignal())) {
            double cpuBefore = ProcessCpu.seconds();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(client.properties(load.producerProperties()))) {
                run.run(
                        producer,
                        stop,
                        progress,
                        () -> run.acknowledged().recentWords(surroundings.clock()) + ", "
                                + run.latencies().recentWords());
            }
            progress.clear();
            report(run, partitions, ProcessCpu.seconds() - cpuBefore);
        }
        run.firstFailure().ifPresent(failure -> {
            throw CommandFailure.failed(
                    Words.count(run.failures(), "record") + " not acknowledged: "
                            + BrokerFailures.explain(failure).getMessage(),
                    failure);
        });
        return ExitCode.DONE;
    }

    private void report(ProduceLoad run, int partitions, double cpuSeconds) {
        if (json) {
            Map<String, Object> result = Json.object("bench", "produce", "topic", topic.name, "partitions", partitions);
            result.putAll(run.acknowledged().toJson());
            result.put("failures", run.failures());
            result.put("acknowledgeMs", run.latencies().toJson());
            result.put("clientCpuSeconds", cpuSeconds);
            surroundings.console().out().println(Json.text(result));
        } else {
            surroundings
                    .console()
                    .out()
                    .println("acknowledged " + run.acknowledged().words());
            surroundings.console().out().println("latency " + run.latencies().words());
            surroundings.console().out().println("client CPU " + Words.seconds(cpuSeconds));
        }
        surroundings.console().out().flush();
    }
}
