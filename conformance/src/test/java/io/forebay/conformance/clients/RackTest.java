package io.forebay.conformance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.cluster.ForebayCluster;
import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.Eventually;
import io.forebay.conformance.harness.Installed;
import io.forebay.conformance.stores.SharedFolder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A consumer that says its rack reads old records from the node of that rack, and the newest from the owner (KIP-392). */
final class RackTest {

    private static final int RECORDS = 3_000;
    private static final String TOPIC = "racks";

    private static ForebayCluster cluster;
    private static int leader;
    private static int other;

    @BeforeAll
    static void twoNodes() throws Exception {
        cluster = new ForebayCluster(
                "racks",
                2,
                new SharedFolder(BrokerExtension.freshFolder("racks")),
                Map.of("shard.flush.bytes", "64KiB"));
        cluster.startAll();
        try (Admin admin = cluster.admin()) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
            TopicPartitionInfo partition = admin.describeTopics(List.of(TOPIC)).allTopicNames().get().values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .findFirst()
                    .orElseThrow();
            leader = partition.leader().id();
            other = 3 - leader;
            assertThat(partition.replicas()).extracting("id").containsExactly(leader, other);
        }
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(Map.of(
                "bootstrap.servers",
                cluster.bootstrap(),
                "key.serializer",
                StringSerializer.class,
                "value.serializer",
                StringSerializer.class,
                "batch.size",
                "4096"))) {
            for (int i = 0; i < RECORDS; i++) {
                var unused = producer.send(new ProducerRecord<>(TOPIC, 0, "k", i + "-" + "x".repeat(90)));
            }
        }
    }

    @AfterAll
    static void end() {
        cluster.close();
    }

    @Test
    void javaReadsOldRecordsInItsRackAndTheNewestFromTheOwner() {
        Eventually.holds(() -> {
            Set<Integer> preferred = new HashSet<>();
            TreeMap<Long, String> seen = new TreeMap<>();
            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(Map.of(
                    "bootstrap.servers",
                    cluster.bootstrap(),
                    "client.rack",
                    "rack-" + other,
                    "max.partition.fetch.bytes",
                    "20000",
                    "key.deserializer",
                    StringDeserializer.class,
                    "value.deserializer",
                    StringDeserializer.class))) {
                TopicPartition partition = new TopicPartition(TOPIC, 0);
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                for (int polls = 0; polls < 200 && seen.size() < RECORDS; polls++) {
                    consumer.poll(Duration.ofMillis(200)).forEach(record -> seen.put(record.offset(), record.value()));
                    consumer.metrics().forEach((name, metric) -> {
                        if (name.name().equals("preferred-read-replica") && metric.metricValue() instanceof Number id) {
                            preferred.add(id.intValue());
                        }
                    });
                }
            }
            assertThat(seen).hasSize(RECORDS);
            assertThat(seen.get((long) RECORDS - 1)).startsWith(RECORDS - 1 + "-");
            assertThat(preferred).contains(other);
        });
    }

    /** Before version 2.1 librdkafka says no leader epoch: the owner serves it all. */
    @Test
    void librdkafkaReadsEverythingWithARack() {
        Installed.require("kcat", "kcat");
        String read = CommandRun.of(List.of(
                        "kcat",
                        "-C",
                        "-q",
                        "-e",
                        "-o",
                        "beginning",
                        "-b",
                        cluster.bootstrap(),
                        "-t",
                        TOPIC,
                        "-X",
                        "client.rack=rack-" + other))
                .succeeded()
                .stdout();
        assertThat(read.lines()).hasSize(RECORDS);
    }
}
