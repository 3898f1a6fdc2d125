package io.forebay.server.cli.client;

import io.forebay.server.cli.terminal.TextOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine.Option;

/** How records are sent, the same for every command that sends some. */
public final class ProducerOptions {

    @Option(
            names = "--compression",
            paramLabel = "CODEC",
            defaultValue = "none",
            description = "none, gzip, snappy, lz4 or zstd (default: ${DEFAULT-VALUE}).")
    String compression = "";

    @Option(
            names = "--acks",
            paramLabel = "0|1|all",
            defaultValue = "all",
            description = "What to wait for (default: ${DEFAULT-VALUE}).")
    String acks = "";

    @Option(
            names = "--batch-bytes",
            paramLabel = "SIZE",
            defaultValue = "64KiB",
            converter = TextOptions.Size.class,
            description = "Largest batch (default: ${DEFAULT-VALUE}).")
    int batchBytes;

    @Option(
            names = "--linger",
            paramLabel = "TIME",
            defaultValue = "5ms",
            converter = TextOptions.Span.class,
            description = "How long to gather a batch (default: ${DEFAULT-VALUE}).")
    Duration linger = Duration.ZERO;

    /** Ends the command if something was given that does not exist. */
    public void check() {
        TextOptions.requireOneOf("--acks", acks, "0", "1", "all", "-1");
        TextOptions.requireOneOf("--compression", compression, "none", "gzip", "snappy", "lz4", "zstd");
    }

    public Duration linger() {
        return linger;
    }

    /** Settings of a producer of bytes; the caller may change and add to them. */
    public Map<String, Object> properties() {
        Map<String, Object> wanted = new HashMap<>();
        wanted.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        wanted.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        wanted.put(ProducerConfig.ACKS_CONFIG, acks);
        wanted.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, acks.equals("all") || acks.equals("-1"));
        wanted.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
        wanted.put(ProducerConfig.BATCH_SIZE_CONFIG, batchBytes);
        wanted.put(ProducerConfig.LINGER_MS_CONFIG, (int) linger.toMillis());
        return wanted;
    }
}
