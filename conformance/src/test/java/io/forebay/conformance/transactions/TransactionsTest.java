package io.forebay.conformance.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transactions of the Java client on one node: what commits is seen, what aborts is not, whoever is fenced writes nothing. */
class TransactionsTest {

    private static final Duration QUIET = Duration.ofMillis(1_500);

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    @Test
    void committedIsSeenAndAbortedIsNot() {
        String topic = BROKER.createTopic("commit-abort", 3, Map.of());
        try (KafkaProducer<String, String> producer = producer("commit-abort", 60_000)) {
            producer.initTransactions();
            for (int round = 0; round < 10; round++) {
                producer.beginTransaction();
                for (int i = 0; i < 6; i++) {
                    send(producer, topic, i % 3, round + "-" + i);
                }
                if (round % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.flush();
                    producer.abortTransaction();
                }
            }
        }

        List<String> committed = read(topic, 3, "read_committed", 30);
        assertThat(committed).hasSize(30).allMatch(value -> (value.charAt(0) - '0') % 2 == 0);
        assertThat(read(topic, 3, "read_uncommitted", 60)).hasSize(60);
    }

    @Test
    void openTransactionIsNotSeenBeforeItCommits() {
        String topic = BROKER.createTopic("isolation", 1, Map.of());
        try (KafkaProducer<String, String> producer = producer("isolation", 60_000);
                KafkaProducer<String, String> plain = plainProducer()) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, topic, 0, "open");
            producer.flush();
            send(plain, topic, 0, "behind");
            plain.flush();

            assertThat(read(topic, 1, "read_committed", 1)).isEmpty();
            assertThat(read(topic, 1, "read_uncommitted", 2)).containsExactly("open", "behind");

            producer.commitTransaction();
        }
        assertThat(read(topic, 1, "read_committed", 2)).containsExactly("open", "behind");
    }

    @Test
    void secondProducerOfAnIdFencesTheFirst() {
        String topic = BROKER.createTopic("fencing", 1, Map.of());
        try (KafkaProducer<String, String> zombie = producer("fencing", 60_000);
                KafkaProducer<String, String> next = producer("fencing", 60_000)) {
            zombie.initTransactions();
            zombie.beginTransaction();
            send(zombie, topic, 0, "zombie");
            zombie.flush();

            next.initTransactions();
            next.beginTransaction();
            send(next, topic, 0, "next");
            next.commitTransaction();

            assertThatThrownBy(zombie::commitTransaction).isInstanceOf(ProducerFencedException.class);
        }
        assertThat(read(topic, 1, "read_committed", 1)).containsExactly("next");
    }

    @Test
    void transactionThatIsLeftOpenIsAborted() throws Exception {
        String topic = BROKER.createTopic("time-out", 1, Map.of());
        try (KafkaProducer<String, String> lost = producer("time-out", 2_000);
                KafkaProducer<String, String> plain = plainProducer()) {
            lost.initTransactions();
            lost.beginTransaction();
            send(lost, topic, 0, "lost");
            lost.flush();
            send(plain, topic, 0, "behind");
            plain.flush();
            assertThat(describe("time-out").state()).isEqualTo(TransactionState.ONGOING);

            Eventually.holds(() -> assertThat(describe("time-out").state()).isEqualTo(TransactionState.COMPLETE_ABORT));

            assertThatThrownBy(lost::commitTransaction).isInstanceOf(KafkaException.class);
        }
        assertThat(read(topic, 1, "read_committed", 1)).containsExactly("behind");
    }

    @Test
    void toolsListDescribeAndAbort() throws Exception {
        String topic = BROKER.createTopic("tools", 1, Map.of());
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaProducer<String, String> hanging = producer("tools", 60_000)) {
            hanging.initTransactions();
            hanging.beginTransaction();
            send(hanging, topic, 0, "hanging");
            hanging.flush();

            assertThat(BROKER.admin().listTransactions().all().get())
                    .extracting(TransactionListing::transactionalId)
                    .contains("tools");
            assertThat(describe("tools").topicPartitions()).containsExactly(partition);
            ProducerState open = BROKER.admin()
                    .describeProducers(List.of(partition))
                    .partitionResult(partition)
                    .get()
                    .activeProducers()
                    .get(0);
            assertThat(open.currentTransactionStartOffset()).hasValue(0);

            BROKER.admin()
                    .abortTransaction(new AbortTransactionSpec(
                            partition,
                            open.producerId(),
                            (short) open.producerEpoch(),
                            open.coordinatorEpoch().orElse(0)))
                    .all()
                    .get();
            assertThat(BROKER.admin()
                            .describeProducers(List.of(partition))
                            .partitionResult(partition)
                            .get()
                            .activeProducers()
                            .get(0)
                            .currentTransactionStartOffset())
                    .isEmpty();
            BROKER.admin().fenceProducers(List.of("tools")).all().get();

            assertThatThrownBy(hanging::commitTransaction).isInstanceOf(KafkaException.class);
        }
        assertThat(read(topic, 1, "read_committed", 1)).isEmpty();
    }

    @Test
    void transactionGoesOnAfterAKill() {
        String topic = BROKER.createTopic("kill", 2, Map.of());
        try (KafkaProducer<String, String> producer = producer("kill", 60_000)) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, topic, 0, "aborted");
            producer.flush();
            producer.abortTransaction();
            producer.beginTransaction();
            send(producer, topic, 0, "before");
            producer.flush();

            BROKER.server().kill();
            BROKER.server().start();

            send(producer, topic, 1, "after");
            producer.commitTransaction();
        }
        assertThat(read(topic, 2, "read_committed", 2)).containsExactlyInAnyOrder("before", "after");

        BROKER.server().kill();
        BROKER.server().start();
        assertThat(read(topic, 2, "read_committed", 2)).containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void offsetsMoveWithTheTransaction() {
        String topic = BROKER.createTopic("offsets", 1, Map.of());
        TopicPartition source = new TopicPartition(topic, 0);
        try (KafkaProducer<String, String> plain = plainProducer()) {
            for (int i = 0; i < 10; i++) {
                send(plain, topic, 0, "in-" + i);
            }
        }
        try (KafkaProducer<String, String> producer = producer("offsets", 60_000);
                KafkaConsumer<String, String> consumer = consumer("offsets-group", "read_committed")) {
            producer.initTransactions();
            consumer.subscribe(List.of(topic));
            Eventually.isTrue("an assignment", () -> {
                consumer.poll(Duration.ofMillis(200));
                return !consumer.assignment().isEmpty();
            });

            producer.beginTransaction();
            producer.sendOffsetsToTransaction(Map.of(source, new OffsetAndMetadata(4)), consumer.groupMetadata());
            producer.commitTransaction();
            assertThat(committed(consumer, source)).isEqualTo(4);

            producer.beginTransaction();
            producer.sendOffsetsToTransaction(Map.of(source, new OffsetAndMetadata(9)), consumer.groupMetadata());
            producer.abortTransaction();
            assertThat(committed(consumer, source)).isEqualTo(4);

            BROKER.server().kill();
            BROKER.server().start();
            Eventually.holds(() -> assertThat(committed(consumer, source)).isEqualTo(4));
        }
    }

    private static long committed(KafkaConsumer<String, String> consumer, TopicPartition partition) {
        return Objects.requireNonNull(consumer.committed(Set.of(partition)).get(partition))
                .offset();
    }

    private static TransactionDescription describe(String id) throws Exception {
        return BROKER.admin().describeTransactions(List.of(id)).description(id).get();
    }

    private static void send(KafkaProducer<String, String> producer, String topic, int partition, String value) {
        var unused = producer.send(new ProducerRecord<>(topic, partition, "k", value));
    }

    private static KafkaProducer<String, String> producer(String id, int timeoutMs) {
        return new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        BROKER.bootstrap(),
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        id,
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        timeoutMs),
                new StringSerializer(),
                new StringSerializer());
    }

    private static KafkaProducer<String, String> plainProducer() {
        return new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, BROKER.bootstrap()),
                new StringSerializer(),
                new StringSerializer());
    }

    private static KafkaConsumer<String, String> consumer(String group, String isolation) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        BROKER.bootstrap(),
                        "group.id",
                        group,
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        false,
                        "isolation.level",
                        isolation),
                new StringDeserializer(),
                new StringDeserializer());
    }

    /** Reads until there are so many, and then for a while more. */
    private static List<String> read(String topic, int partitions, String isolation, int expected) {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer("reader", isolation)) {
            List<TopicPartition> all = new ArrayList<>();
            for (int i = 0; i < partitions; i++) {
                all.add(new TopicPartition(topic, i));
            }
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long end = System.nanoTime() + Duration.ofSeconds(4).toNanos();
            boolean more = true;
            while (more) {
                for (ConsumerRecord<String, String> record : consumer.poll(QUIET)) {
                    values.add(record.value());
                }
                more = values.size() < expected && System.nanoTime() < end;
            }
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(300))) {
                values.add(record.value());
            }
        }
        return values;
    }
}
