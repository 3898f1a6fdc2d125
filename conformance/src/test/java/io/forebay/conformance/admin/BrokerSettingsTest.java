package io.forebay.conformance.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Eventually;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Settings of the broker that are changed while it runs. */
class BrokerSettingsTest {

    private static final int RECORD_BYTES = 20_000;

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension().set("message.max.bytes", "50000");

    private static String node() throws ExecutionException, InterruptedException {
        return BROKER.admin().describeCluster().controller().get().idString();
    }

    private static void alter(String broker, OpType operation, String key, String value)
            throws ExecutionException, InterruptedException {
        BROKER.admin()
                .incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, broker),
                        List.of(new AlterConfigOp(new ConfigEntry(key, value), operation))))
                .all()
                .get();
    }

    private static Class<?> sent(String topic) throws InterruptedException {
        Map<String, Object> settings = Map.of("bootstrap.servers", BROKER.bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, new byte[RECORD_BYTES])).get();
            return Void.class;
        } catch (ExecutionException e) {
            return requireNonNull(e.getCause()).getClass();
        }
    }

    @Test
    void openPartitionsFollowTheBrokersOwnSetting() throws ExecutionException, InterruptedException {
        openPartitionsFollow(node());
    }

    @Test
    void openPartitionsFollowTheSettingOfAllBrokers() throws ExecutionException, InterruptedException {
        openPartitionsFollow("");
    }

    @Test
    void whatTheBrokerWasStartedWithIsAmongTheSynonyms() throws ExecutionException, InterruptedException {
        assertThat(BROKER.server().running()).isTrue();
        alter(node(), OpType.SET, "message.max.bytes", "40000");
        alter("", OpType.SET, "message.max.bytes", "30000");
        ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, node());

        Eventually.holds(() -> assertThat(requireNonNull(requireNonNull(BROKER.admin()
                                        .describeConfigs(
                                                List.of(resource), new DescribeConfigsOptions().includeSynonyms(true))
                                        .all()
                                        .get()
                                        .get(resource))
                                .get("message.max.bytes"))
                        .synonyms())
                .extracting(ConfigEntry.ConfigSynonym::source, ConfigEntry.ConfigSynonym::value)
                .containsExactly(
                        tuple(ConfigEntry.ConfigSource.DYNAMIC_BROKER_CONFIG, "40000"),
                        tuple(ConfigEntry.ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG, "30000"),
                        tuple(ConfigEntry.ConfigSource.STATIC_BROKER_CONFIG, "50000")));
        alter(node(), OpType.DELETE, "message.max.bytes", "");
        alter("", OpType.DELETE, "message.max.bytes", "");
    }

    @Test
    void aSettingThatIsNoneIsCalledUnknown() {
        assertThatThrownBy(() -> alter(node(), OpType.SET, "log.retention.fortnights", "1"))
                .hasMessageContaining("there is no broker setting log.retention.fortnights");
        assertThatThrownBy(() -> alter(node(), OpType.SET, "node.id", "7"))
                .hasMessageContaining("cannot be altered while the broker runs");
    }

    private static void openPartitionsFollow(String broker) throws ExecutionException, InterruptedException {
        String topic = BROKER.createTopic("follows", 1, Map.of());
        assertThat(sent(topic)).isEqualTo(Void.class);

        alter(broker, OpType.SET, "message.max.bytes", "10000");
        Eventually.holds(() -> assertThat(sent(topic)).isEqualTo(RecordTooLargeException.class));

        alter(broker, OpType.DELETE, "message.max.bytes", "");
        Eventually.holds(() -> assertThat(sent(topic)).isEqualTo(Void.class));
    }
}
