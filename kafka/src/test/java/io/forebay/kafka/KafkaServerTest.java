package io.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.kafka.fake.FakeBroker;
import io.forebay.kafka.fake.HandClock;
import io.forebay.kafka.net.NetLoops;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real sockets and Kafka's own client. */
class KafkaServerTest {

    private static final KafkaConfig CONFIG =
            new KafkaConfig("127.0.0.1", 0, 16 << 20, 8 << 20, 100, 600_000, 55 << 20, 32 << 20, 100, true);

    private final FakeBroker broker = new FakeBroker();
    private final NetLoops loops = NetLoops.start(2);
    private KafkaServer server;

    @BeforeEach
    void start() throws Exception {
        server = KafkaServer.prepare(CONFIG, broker, loops, new HandClock(), new Random(1))
                .listen();
        broker.listensAt("127.0.0.1", server.address().getPort());
    }

    @AfterEach
    void stop() {
        server.close();
        loops.close();
    }

    private String bootstrap() {
        return "127.0.0.1:" + server.address().getPort();
    }

    @Test
    void carriesRecordsOfAnyCompressionToAndFro() throws Exception {
        for (String compression : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            String topic = "way-" + compression;
            int count = 2_000;

            produce(topic, compression, count);

            List<String> values = consume(topic, count);
            for (int i = 0; i < count; i++) {
                assertThat(values.get(i)).isEqualTo(value(i));
            }
        }
    }

    private static String value(int number) {
        return "value " + number + " ".repeat(number % 3000);
    }

    private void produce(String topic, String compression, int count) throws Exception {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                bootstrap(),
                "compression.type",
                compression,
                "enable.idempotence",
                "false",
                "linger.ms",
                "1");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, value(i).getBytes(StandardCharsets.UTF_8))));
            }
            for (int i = 0; i < count; i++) {
                assertThat(sent.get(i).get().offset()).isEqualTo(i);
            }
        }
    }

    private List<String> consume(String topic, int count) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", bootstrap(), "max.partition.fetch.bytes", "300000", "fetch.min.bytes", "0");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seek(partition, 0);
            while (values.size() < count) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(5))) {
                    values.add(new String(record.value(), StandardCharsets.UTF_8));
                }
            }
        }
        return values;
    }
}
