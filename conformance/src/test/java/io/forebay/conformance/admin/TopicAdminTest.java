package io.forebay.conformance.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Eventually;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreatePartitionsOptions;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating, growing, configuring and deleting topics, and the errors that Kafka gives for what is not possible. */
class TopicAdminTest {

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static Admin admin() {
        return BROKER.admin();
    }

    private static Class<?> failureOf(Future<?> future) throws InterruptedException {
        try {
            future.get();
            return Void.class;
        } catch (ExecutionException e) {
            return requireNonNull(e.getCause()).getClass();
        }
    }

    private static NewTopic topic(String name, int partitions) {
        return new NewTopic(name, Optional.of(partitions), Optional.empty());
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private static ConfigEntry config(String topic, String key) throws ExecutionException, InterruptedException {
        return config(resource(topic), key);
    }

    private static ConfigEntry config(ConfigResource resource, String key)
            throws ExecutionException, InterruptedException {
        Config config = requireNonNull(
                admin().describeConfigs(List.of(resource)).all().get().get(resource));
        return requireNonNull(config.get(key));
    }

    private static Future<Void> alter(String topic, String key, String value, AlterConfigOp.OpType type) {
        return admin().incrementalAlterConfigs(
                        Map.of(resource(topic), List.of(new AlterConfigOp(new ConfigEntry(key, value), type))))
                .all();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "with blank", "with/slash", "ümlaut", "a\u0000b", "com,ma"})
    void refusesATopicNameThatIsNone(String name) throws InterruptedException {
        assertThat(failureOf(admin().createTopics(List.of(topic(name, 1))).all()))
                .isEqualTo(InvalidTopicException.class);
    }

    @Test
    void takesTheLongestNameAndRefusesALongerOne() throws InterruptedException {
        String stem = BROKER.topicName("long");
        String longest = stem + "x".repeat(249 - stem.length());

        assertThat(failureOf(admin().createTopics(List.of(topic(longest, 1))).all()))
                .isEqualTo(Void.class);
        assertThat(failureOf(
                        admin().createTopics(List.of(topic(longest + "x", 1))).all()))
                .isEqualTo(InvalidTopicException.class);
    }

    static Stream<Arguments> wrongConfigs() {
        return Stream.of(
                Arguments.of("no.such.config", "1"),
                Arguments.of("retention.ms", "soon"),
                Arguments.of("retention.ms", "-2"),
                Arguments.of("cleanup.policy", "shred"),
                Arguments.of("compression.type", "rar"),
                Arguments.of("max.message.bytes", "-1"),
                Arguments.of("message.timestamp.type", "Sometime"),
                Arguments.of("segment.bytes", "1"),
                Arguments.of("min.insync.replicas", "0"));
    }

    @ParameterizedTest(name = "{0}={1}")
    @MethodSource("wrongConfigs")
    void refusesAWrongConfig(String key, String value) throws InterruptedException {
        String existing = BROKER.createTopic("configured", 1, Map.of());
        NewTopic fresh = topic(BROKER.topicName("configured"), 1).configs(Map.of(key, value));

        assertThat(failureOf(admin().createTopics(List.of(fresh)).all()))
                .isEqualTo(InvalidConfigurationException.class);
        assertThat(failureOf(alter(existing, key, value, AlterConfigOp.OpType.SET)))
                .isEqualTo(InvalidConfigurationException.class);
    }

    @Test
    void refusesImpossibleCounts() throws InterruptedException {
        String name = BROKER.topicName("counts");

        assertThat(failureOf(admin().createTopics(List.of(topic(name, 0))).all()))
                .isEqualTo(InvalidPartitionsException.class);
        assertThat(failureOf(admin().createTopics(List.of(topic(name, -5))).all()))
                .isEqualTo(InvalidPartitionsException.class);
        assertThat(failureOf(admin().createTopics(List.of(new NewTopic(name, 1, (short) 0)))
                        .all()))
                .isEqualTo(InvalidReplicationFactorException.class);
    }

    @Test
    void onlyValidatesWhenAsked() throws ExecutionException, InterruptedException {
        String name = BROKER.topicName("validated");
        CreateTopicsResult result = admin().createTopics(
                        List.of(topic(name, 3).configs(Map.of("retention.ms", "1000"))),
                        new CreateTopicsOptions().validateOnly(true));

        result.all().get();
        assertThat(result.numPartitions(name).get()).isEqualTo(3);
        assertThat(failureOf(admin().describeTopics(List.of(name)).allTopicNames()))
                .isEqualTo(UnknownTopicOrPartitionException.class);
    }

    @Test
    void growsButNeverShrinks() throws ExecutionException, InterruptedException {
        String name = BROKER.createTopic("grows", 2, Map.of());

        admin().createPartitions(
                        Map.of(name, NewPartitions.increaseTo(9)), new CreatePartitionsOptions().validateOnly(true))
                .all()
                .get();
        assertThat(describe(name).partitions()).hasSize(2);
        admin().createPartitions(Map.of(name, NewPartitions.increaseTo(5)))
                .all()
                .get();
        Eventually.holds(() -> assertThat(describe(name).partitions()).hasSize(5));
        assertThat(failureOf(admin().createPartitions(Map.of(name, NewPartitions.increaseTo(5)))
                        .all()))
                .isEqualTo(InvalidPartitionsException.class);
        assertThat(failureOf(admin().createPartitions(Map.of(name, NewPartitions.increaseTo(3)))
                        .all()))
                .isEqualTo(InvalidPartitionsException.class);
    }

    private static TopicDescription describe(String name) throws ExecutionException, InterruptedException {
        return requireNonNull(
                admin().describeTopics(List.of(name)).allTopicNames().get().get(name));
    }

    @Test
    void aTopicOfTheSameNameIsAnotherTopic() throws ExecutionException, InterruptedException {
        String name = BROKER.createTopic("reborn", 1, Map.of());
        assertThat(failureOf(admin().createTopics(List.of(topic(name, 1))).all()))
                .isEqualTo(TopicExistsException.class);
        TopicDescription first = describe(name);

        admin().deleteTopics(List.of(name)).all().get();
        Eventually.holds(
                () -> admin().createTopics(List.of(topic(name, 2))).all().get());

        Eventually.holds(() -> assertThat(describe(name).partitions()).hasSize(2));
        assertThat(describe(name).topicId()).isNotEqualTo(first.topicId());
        assertThat(failureOf(
                        admin().deleteTopics(List.of(BROKER.topicName("never"))).all()))
                .isEqualTo(UnknownTopicOrPartitionException.class);
    }

    @Test
    void configsAreSetAppendedAndTakenBack() throws ExecutionException, InterruptedException {
        String name = BROKER.createTopic("altered", 1, Map.of("retention.ms", "5000"));

        assertThat(config(name, "retention.ms").value()).isEqualTo("5000");
        assertThat(config(name, "retention.ms").source()).isEqualTo(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
        alter(name, "retention.ms", "6000", AlterConfigOp.OpType.SET).get();
        Eventually.holds(() -> assertThat(config(name, "retention.ms").value()).isEqualTo("6000"));
        alter(name, "cleanup.policy", "compact", AlterConfigOp.OpType.APPEND).get();
        Eventually.holds(
                () -> assertThat(config(name, "cleanup.policy").value()).isEqualTo("delete,compact"));
        alter(name, "cleanup.policy", "compact", AlterConfigOp.OpType.SUBTRACT).get();
        Eventually.holds(
                () -> assertThat(config(name, "cleanup.policy").value()).isEqualTo("delete"));
        alter(name, "retention.ms", "", AlterConfigOp.OpType.DELETE).get();
        Eventually.holds(() -> assertThat(config(name, "retention.ms").value()).isEqualTo("604800000"));
        assertThat(config(name, "retention.ms").isDefault()).isTrue();
        assertThat(failureOf(alter(BROKER.topicName("never"), "retention.ms", "1", AlterConfigOp.OpType.SET)))
                .isEqualTo(UnknownTopicOrPartitionException.class);
    }

    @Test
    void whatHasSettingsIsListed() throws ExecutionException, InterruptedException {
        String name = BROKER.createTopic("listed", 1, Map.of());
        String node = admin().describeCluster().controller().get().idString();
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, node);

        assertThat(admin().listConfigResources().all().get()).contains(topic, broker);
        assertThat(admin().listConfigResources(Set.of(ConfigResource.Type.TOPIC), new ListConfigResourcesOptions())
                        .all()
                        .get())
                .contains(topic)
                .doesNotContain(broker);
        assertThat(admin().listConfigResources(Set.of(ConfigResource.Type.GROUP), new ListConfigResourcesOptions())
                        .all()
                        .get())
                .isEmpty();
    }

    @Test
    void theClusterAndItsFoldersAreDescribed() throws ExecutionException, InterruptedException {
        String name = BROKER.createTopic("described", 3, Map.of());
        int node = admin().describeCluster().nodes().get().iterator().next().id();

        assertThat(admin().describeCluster().controller().get().id()).isEqualTo(node);
        assertThat(admin().describeCluster().clusterId().get()).hasSize(22);
        assertThat(describe(name).partitions()).allSatisfy(partition -> {
            assertThat(partition.leader().id()).isEqualTo(node);
            assertThat(partition.replicas()).hasSize(1);
            assertThat(partition.isr()).hasSize(1);
        });
        Eventually.holds(() -> assertThat(
                        requireNonNull(admin().describeLogDirs(List.of(node))
                                        .allDescriptions()
                                        .get()
                                        .get(node))
                                .values()
                                .stream()
                                .flatMap(folder -> folder.replicaInfos().keySet().stream())
                                .filter(partition -> partition.topic().equals(name)))
                .hasSize(3));
        assertThat(requireNonNull(admin().describeLogDirs(List.of(node))
                                .allDescriptions()
                                .get()
                                .get(node))
                        .values())
                .allSatisfy(folder -> {
                    assertThat(folder.totalBytes()).isPresent();
                    assertThat(folder.usableBytes().orElse(-1))
                            .isBetween(1L, folder.totalBytes().orElse(0));
                });
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(node));
        assertThat(config(broker, "message.max.bytes").value()).isEqualTo("1048588");
    }
}
