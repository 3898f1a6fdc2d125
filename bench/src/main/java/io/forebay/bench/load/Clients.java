package io.forebay.bench.load;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes clients: defaults of the Java client but for what a load says, and reconnecting without long pauses. */
final class Clients {
    /** Size of every value. Records have no key. */
    static final int VALUE_BYTES = 1024;

    private static final int TIMEOUT_MS = 240_000;
    private static final int VALUES = 1000;

    private Clients() {}

    /** A producer with acks=all and its other defaults, sized by the request's batch, linger and buffer. */
    static KafkaProducer<byte[], byte[]> producer(Line request) {
        Map<String, Object> config = common(request);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, request.text("batch"));
        config.put(ProducerConfig.LINGER_MS_CONFIG, request.text("linger"));
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, request.text("buffer"));
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT_MS);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A producer for a few records, as soon as possible. */
    static KafkaProducer<byte[], byte[]> probe(Line request) {
        return producer(request.with("batch", 16384).with("linger", 0).with("buffer", 33554432));
    }

    static KafkaConsumer<byte[], byte[]> consumer(Line request) {
        Map<String, Object> config = common(request);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static Admin admin(Line request) {
        Map<String, Object> config = common(request);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
        return Admin.create(config);
    }

    /** Random values, the same in every run, enough of them that making values costs a load nothing. */
    static byte[][] values() {
        return values(VALUE_BYTES);
    }

    /** As above, of another size. */
    static byte[][] values(int bytes) {
        SplittableRandom random = new SplittableRandom(1);
        byte[][] values = new byte[VALUES][bytes];
        for (byte[] value : values) {
            random.nextBytes(value);
        }
        return values;
    }

    private static Map<String, Object> common(Line request) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", request.text("bootstrap"));
        config.put("reconnect.backoff.ms", 10);
        config.put("reconnect.backoff.max.ms", 20);
        config.put("retry.backoff.ms", 10);
        config.put("retry.backoff.max.ms", 50);
        return config;
    }
}
