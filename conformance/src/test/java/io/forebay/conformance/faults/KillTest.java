package io.forebay.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.ForebayProcess;
import io.forebay.conformance.harness.KeyedRecord;
import io.forebay.conformance.harness.KeyedText;
import io.forebay.conformance.harness.PackageText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kill -9 in the middle of the real stream: what was acknowledged is there, once for idempotent producers, in order. */
class KillTest {

    private static final int STREAM_BYTES = 16 << 20;
    private static final int PARTITIONS = 4;
    private static final int POLLS_BETWEEN_COMMITS = 5;

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void idempotentProducersLoseAndDoubleNothing(String protocol) {
        List<KeyedRecord> records = PackageText.first(STREAM_BYTES);
        String topic = BROKER.createTopic("kill-idempotent", PARTITIONS, Map.of());
        SeenRecords seen = new SeenRecords();

        AckedProducer producer = new AckedProducer(
                        BROKER.bootstrap(), topic, records, Map.of(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true))
                .start();
        streamThroughKills(producer, records.size(), topic, protocol, seen);

        producer.assertAllIn(seen);
        KeyedText.of(records).assertSame(seen.text());
    }

    @Test
    void plainProducersLoseNothing() {
        List<KeyedRecord> records = PackageText.first(STREAM_BYTES);
        String topic = BROKER.createTopic("kill-plain", PARTITIONS, Map.of());
        SeenRecords seen = new SeenRecords();

        AckedProducer producer = new AckedProducer(
                        BROKER.bootstrap(),
                        topic,
                        records,
                        Map.of(
                                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                                false,
                                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                                1))
                .start();
        streamThroughKills(producer, records.size(), topic, "classic", seen);

        producer.assertAllIn(seen);
        KeyedText.of(records).assertSameOrMore(seen.text());
    }

    @Test
    void killsWhileItRecoversCostNothing() {
        List<KeyedRecord> records = PackageText.first(2 << 20);
        String topic = BROKER.createTopic("kill-recovery", PARTITIONS, Map.of());
        ForebayProcess server = BROKER.server();
        AckedProducer producer = new AckedProducer(BROKER.bootstrap(), topic, records, Map.of()).start();
        producer.finish();

        server.kill();
        for (int millis = 100; millis <= 1_000; millis += 150) {
            server.startAndKill(Duration.ofMillis(millis));
        }
        server.start();

        SeenRecords seen = new SeenRecords();
        try (CommittingReader reader = new CommittingReader(BROKER.bootstrap(), topic, "classic", seen)) {
            reader.readToEnd();
        }
        producer.assertAllIn(seen);
        KeyedText.of(records).assertSame(seen.text());
    }

    @Test
    void termEndsItCleanlyAndTheDataStays() {
        List<KeyedRecord> records = PackageText.first(1 << 20);
        String topic = BROKER.createTopic("term", PARTITIONS, Map.of());
        ForebayProcess server = BROKER.server();
        AckedProducer producer = new AckedProducer(BROKER.bootstrap(), topic, records, Map.of()).start();
        producer.finish();

        assertThat(server.stop()).isIn(0, 143);
        server.start();

        SeenRecords seen = new SeenRecords();
        try (CommittingReader reader = new CommittingReader(BROKER.bootstrap(), topic, "consumer", seen)) {
            reader.readToEnd();
        }
        producer.assertAllIn(seen);
        KeyedText.of(records).assertSame(seen.text());
    }

    /** Reads with commits while the producer sends; kills at one and two thirds, then replaces the reader. */
    private static void streamThroughKills(
            AckedProducer producer, int count, String topic, String protocol, SeenRecords seen) {
        ForebayProcess server = BROKER.server();
        try (CommittingReader reader = new CommittingReader(BROKER.bootstrap(), topic, protocol, seen)) {
            for (int kill = 1; kill <= 2; kill++) {
                int polls = 0;
                while (producer.acknowledged() < count * kill / 3) {
                    reader.poll();
                    polls++;
                    if (polls % POLLS_BETWEEN_COMMITS == 0) {
                        reader.commit();
                    }
                }
                server.kill();
                assertThat(producer.acknowledged()).as("killed in the middle").isLessThan(count);
                server.start();
                reader.poll();
                if (kill == 2) {
                    reader.replace(PARTITIONS);
                }
            }
            producer.finish();
            reader.readToEnd();
            reader.poll();
            reader.commit();
        }
    }
}
