package io.forebay.server.cli.bench;

import io.forebay.server.cli.client.ProducerOptions;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.TextOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerConfig;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is sent and how. */
final class LoadOptions {
    private static final long DEFAULT_RECORDS = 1_000_000;

    /** How records are given to partitions. */
    enum Spread {
        /** As the client likes: batch by batch. */
        sticky,
        /** One after the other, round robin. */
        even
    }

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "Records to send (default: 1,000,000, or no limit with --duration; e2e: no limit).")
    Optional<Long> records = Optional.empty();

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = TextOptions.Span.class,
            description =
                    "Time after which no more is sent, warm-up included (default: none; e2e without --records: 10s).")
    Optional<Duration> duration = Optional.empty();

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "0",
            converter = TextOptions.Span.class,
            description = "Time at the beginning that is not measured (default: none).")
    Duration warmup = Duration.ZERO;

    @Option(
            names = "--record-bytes",
            paramLabel = "SIZE",
            defaultValue = "1024",
            converter = TextOptions.Size.class,
            description = "Size of a record's value (default: ${DEFAULT-VALUE}).")
    int recordBytes;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Records a second; 0 means as many as go (default: 0; e2e: 1000).")
    Optional<Double> rate = Optional.empty();

    @Option(
            names = "--spread",
            paramLabel = "sticky|even",
            defaultValue = "sticky",
            description = "Partitions: as the client likes, or one after the other (default: ${DEFAULT-VALUE}).")
    Spread spread = Spread.sticky;

    @Mixin
    ProducerOptions producer = new ProducerOptions();

    @Option(
            names = "--buffer-bytes",
            paramLabel = "SIZE",
            defaultValue = "64MiB",
            converter = TextOptions.Size.class,
            description = "Memory for records that are not yet acknowledged (default: ${DEFAULT-VALUE}).")
    int bufferBytes;

    /** What holds where the user has not said otherwise. */
    void preset(double presetRate, Duration presetDuration) {
        rate = rate.or(() -> Optional.of(presetRate));
        if (records.isEmpty() && duration.isEmpty()) {
            duration = Optional.of(presetDuration);
        }
    }

    /** Records to send at most. */
    long recordLimit() {
        return records.orElse(duration.isPresent() ? Long.MAX_VALUE : DEFAULT_RECORDS);
    }

    void check(int minRecordBytes) {
        producer.check();
        if (recordBytes < minRecordBytes) {
            throw CommandFailure.usage("bad value '" + recordBytes + "' for --record-bytes: expected at least "
                    + minRecordBytes + " (bytes)");
        }
        if (duration.isPresent() && duration.get().compareTo(warmup) <= 0) {
            throw CommandFailure.usage("--duration must be longer than --warmup");
        }
    }

    Map<String, Object> producerProperties() {
        Map<String, Object> wanted = producer.properties();
        wanted.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) bufferBytes);
        wanted.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Math.max(1 << 20, recordBytes + 1024));
        return wanted;
    }
}
