package io.forebay.conformance.clients;

import io.forebay.conformance.harness.KeyedRecord;
import io.forebay.conformance.harness.RecordFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Works through a job file with whatever kafka-clients is on the class path. Uses only what kafka-clients 2.1 already
 * had, and nothing of JUnit: it also runs in processes of its own beside old clients.
 */
public final class JavaProgram {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private JavaProgram() {}

    /** Arguments: HOST:PORT, the job file, then client settings as key=value. */
    public static void main(String[] args) throws Exception {
        Properties settings = new Properties();
        for (int i = 2; i < args.length; i++) {
            String[] setting = args[i].split("=", 2);
            settings.setProperty(setting[0], setting[1]);
        }
        run(args[0], Path.of(args[1]), settings);
    }

    static void run(String bootstrap, Path jobs, Properties settings)
            throws IOException, ExecutionException, InterruptedException, TimeoutException {
        for (String line : Files.readAllLines(jobs)) {
            String[] job = line.split("\t", -1);
            if (job[0].equals("produce")) {
                produce(bootstrap, job[1], job[2], RecordFile.read(Path.of(job[3])), settings);
            } else {
                consume(bootstrap, job[1], job[2], Path.of(job[3]), settings);
            }
        }
    }

    private static void produce(
            String bootstrap, String topic, String compression, List<KeyedRecord> records, Properties settings)
            throws ExecutionException {
        Properties producerSettings = new Properties();
        producerSettings.setProperty("bootstrap.servers", bootstrap);
        producerSettings.setProperty("acks", "all");
        producerSettings.setProperty("linger.ms", "5");
        producerSettings.setProperty("batch.size", "65536");
        producerSettings.setProperty("compression.type", compression);
        settings.forEach((key, value) -> producerSettings.setProperty((String) key, (String) value));
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(producerSettings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (KeyedRecord record : records) {
                var unused = producer.send(
                        new ProducerRecord<>(topic, record.key(), record.value()), (metadata, exception) -> {
                            if (exception != null) {
                                failure.compareAndSet(null, exception);
                            }
                        });
            }
            producer.flush();
        }
        if (failure.get() != null) {
            throw new ExecutionException("a record was not acknowledged", failure.get());
        }
    }

    private static void consume(String bootstrap, String topic, String group, Path file, Properties settings)
            throws IOException, TimeoutException {
        Properties consumerSettings = new Properties();
        consumerSettings.setProperty("bootstrap.servers", bootstrap);
        consumerSettings.setProperty("group.id", group);
        consumerSettings.setProperty("auto.offset.reset", "earliest");
        consumerSettings.setProperty("enable.auto.commit", "false");
        consumerSettings.setProperty("fetch.max.wait.ms", "50");
        settings.forEach((key, value) -> consumerSettings.setProperty((String) key, (String) value));
        long deadline = System.nanoTime() + LIMIT.toNanos();
        try (RecordFile.Writer out = new RecordFile.Writer(file);
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                        consumerSettings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            Map<TopicPartition, Long> ends = Map.of();
            while (!atEnd(consumer, ends)) {
                if (System.nanoTime() > deadline) {
                    throw new TimeoutException("topic " + topic + " not read after " + LIMIT);
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    out.write(record.key(), record.value());
                }
                if (ends.isEmpty() && !consumer.assignment().isEmpty()) {
                    ends = consumer.endOffsets(consumer.assignment());
                }
            }
            consumer.commitSync();
        }
    }

    /** Whether the only member of its group has got its partitions and read them to {@code ends}. */
    private static boolean atEnd(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return !ends.isEmpty()
                && ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }
}
