package io.forebay.server.cli.bench;

import io.forebay.server.cli.terminal.TextOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import picocli.CommandLine.Option;

/** How records are read. */
final class FetchOptions {
    private static final int MAX_POLL_RECORDS = 5_000;

    @Option(
            names = "--fetch-min-bytes",
            paramLabel = "SIZE",
            defaultValue = "1",
            converter = TextOptions.Size.class,
            description = "What the broker shall gather before it answers (default: ${DEFAULT-VALUE}).")
    int minBytes;

    @Option(
            names = "--fetch-max-wait",
            paramLabel = "TIME",
            defaultValue = "500ms",
            converter = TextOptions.Span.class,
            description = "How long the broker may gather (default: ${DEFAULT-VALUE}).")
    Duration maxWait = Duration.ZERO;

    @Option(
            names = "--fetch-partition-bytes",
            paramLabel = "SIZE",
            defaultValue = "1MiB",
            converter = TextOptions.Size.class,
            description = "Most bytes of one partition in an answer (default: ${DEFAULT-VALUE}).")
    int partitionBytes;

    Map<String, Object> properties() {
        Map<String, Object> wanted = new HashMap<>();
        wanted.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        wanted.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        wanted.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        wanted.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        wanted.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        wanted.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
        wanted.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, minBytes);
        wanted.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) maxWait.toMillis());
        wanted.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, partitionBytes);
        return wanted;
    }
}
