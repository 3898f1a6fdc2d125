package io.forebay.conformance.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Eventually;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.GroupSubscribedToTopicException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumer groups of both protocols: sharing, leaving, static members, patterns, offsets that are kept and deleted. */
class GroupsTest {

    private static final Duration POLL = Duration.ofMillis(50);
    private static final int PARTITIONS = 4;

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static Consumer<String, String> member(String group, String protocol, Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "bootstrap.servers",
                BROKER.bootstrap(),
                "group.id",
                group,
                "group.protocol",
                protocol,
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"));
        if (protocol.equals("classic")) {
            settings.put("heartbeat.interval.ms", 500);
        }
        settings.putAll(more);
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }

    /** Polls all members until their assignments, which never overlap in the end, are everything. */
    private static void settle(String topic, List<Consumer<String, String>> members) {
        Eventually.isTrue("all partitions assigned, and some to each member", () -> {
            members.forEach(member -> {
                var unused = member.poll(POLL);
            });
            Set<TopicPartition> all = new HashSet<>();
            int sum = 0;
            boolean each = true;
            for (Consumer<String, String> member : members) {
                all.addAll(member.assignment());
                sum += member.assignment().size();
                each &= !member.assignment().isEmpty();
            }
            return each
                    && sum == PARTITIONS
                    && all.size() == PARTITIONS
                    && all.stream().allMatch(partition -> partition.topic().equals(topic));
        });
    }

    private static ConsumerGroupDescription describe(String group) throws ExecutionException, InterruptedException {
        return requireNonNull(BROKER.admin()
                .describeConsumerGroups(List.of(group))
                .all()
                .get()
                .get(group));
    }

    private static OffsetAndMetadata committed(String group, TopicPartition partition)
            throws ExecutionException, InterruptedException {
        return requireNonNull(BROKER.admin()
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(partition));
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(strings = {"classic", "consumer"})
    void membersShareAndOneThatLeavesIsReplaced(String protocol) throws ExecutionException, InterruptedException {
        String topic = BROKER.createTopic("shared", PARTITIONS, Map.of());
        String group = topic + "-group";
        try (Consumer<String, String> first = member(group, protocol, Map.of())) {
            first.subscribe(List.of(topic));
            settle(topic, List.of(first));
            try (Consumer<String, String> second = member(group, protocol, Map.of())) {
                second.subscribe(List.of(topic));
                settle(topic, List.of(first, second));

                assertThat(first.assignment()).hasSize(2);
                Eventually.holds(() -> {
                    ConsumerGroupDescription description = describe(group);
                    assertThat(description.groupState()).isEqualTo(GroupState.STABLE);
                    assertThat(description.type().toString()).isEqualToIgnoringCase(protocol);
                    assertThat(description.members())
                            .hasSize(2)
                            .allSatisfy(m ->
                                    assertThat(m.assignment().topicPartitions()).hasSize(2));
                });
            }
            settle(topic, List.of(first));
        }
        Eventually.holds(() -> assertThat(describe(group).groupState()).isEqualTo(GroupState.EMPTY));
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(strings = {"classic", "consumer"})
    void commitsOutliveTheMembers(String protocol) throws ExecutionException, InterruptedException {
        String topic = BROKER.createTopic("commits", PARTITIONS, Map.of());
        String group = topic + "-group";
        TopicPartition partition = new TopicPartition(topic, 1);
        try (Consumer<String, String> member = member(group, protocol, Map.of())) {
            member.subscribe(List.of(topic));
            settle(topic, List.of(member));
            member.commitSync(Map.of(partition, new OffsetAndMetadata(42, "a note")));
        }

        OffsetAndMetadata committed = committed(group, partition);
        assertThat(committed.offset()).isEqualTo(42);
        assertThat(committed.metadata()).isEqualTo("a note");
        try (Consumer<String, String> member = member(group, protocol, Map.of())) {
            assertThat(member.committed(Set.of(partition)).get(partition)).isEqualTo(committed);
        }
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(strings = {"classic", "consumer"})
    void aStaticMemberComesBackToItsPartitions(String protocol) throws ExecutionException, InterruptedException {
        String topic = BROKER.createTopic("static", PARTITIONS, Map.of());
        String group = topic + "-group";
        try (Consumer<String, String> other = member(group, protocol, Map.of("group.instance.id", "other"))) {
            other.subscribe(List.of(topic));
            Consumer<String, String> first = member(group, protocol, Map.of("group.instance.id", "one"));
            first.subscribe(List.of(topic));
            settle(topic, List.of(other, first));
            Set<TopicPartition> before = first.assignment();
            first.close();

            try (Consumer<String, String> again = member(group, protocol, Map.of("group.instance.id", "one"))) {
                again.subscribe(List.of(topic));
                settle(topic, List.of(other, again));
                assertThat(again.assignment()).isEqualTo(before);
            }
            assertThat(describe(group).members().stream()
                            .map(m -> m.groupInstanceId().orElse("")))
                    .contains("other", "one");
        }
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(strings = {"classic", "consumer"})
    void aPatternFindsTopicsThatComeLater(String protocol) {
        String stem = BROKER.topicName("pattern");
        String group = stem + "-" + protocol;
        try (Consumer<String, String> member = member(group, protocol, Map.of("metadata.max.age.ms", 300))) {
            member.subscribe(Pattern.compile(Pattern.quote(stem) + "-x-.*"));
            assertThat(member.poll(POLL)).isEmpty();

            String topic = BROKER.createTopic(stem + "-x", PARTITIONS, Map.of());
            settle(topic, List.of(member));
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void groupsAreListedWithTheirTypes() {
        String topic = BROKER.createTopic("listed", PARTITIONS, Map.of());
        try (Consumer<String, String> classic = member(topic + "-classic", "classic", Map.of());
                Consumer<String, String> modern = member(topic + "-consumer", "consumer", Map.of())) {
            classic.subscribe(List.of(topic));
            modern.subscribe(List.of(topic));
            settle(topic, List.of(classic));
            settle(topic, List.of(modern));

            Map<String, String> types = new HashMap<>();
            Eventually.holds(() -> {
                for (GroupListing group : BROKER.admin().listGroups().all().get()) {
                    types.put(group.groupId(), group.type().orElseThrow().toString());
                }
                assertThat(types)
                        .containsEntry(topic + "-classic", "Classic")
                        .containsEntry(topic + "-consumer", "Consumer");
            });
        }
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @ValueSource(strings = {"classic", "consumer"})
    void offsetsAndGroupsAreDeletedOnlyWhenNobodyUsesThem(String protocol)
            throws ExecutionException, InterruptedException {
        String topic = BROKER.createTopic("groupdelete", PARTITIONS, Map.of());
        String group = topic + "-group";
        TopicPartition partition = new TopicPartition(topic, 0);
        try (Consumer<String, String> member = member(group, protocol, Map.of())) {
            member.subscribe(List.of(topic));
            settle(topic, List.of(member));
            member.commitSync(Map.of(partition, new OffsetAndMetadata(7)));

            assertThatThrownBy(() -> BROKER.admin()
                            .deleteConsumerGroups(List.of(group))
                            .all()
                            .get())
                    .hasCauseInstanceOf(GroupNotEmptyException.class);
            assertThatThrownBy(() -> BROKER.admin()
                            .deleteConsumerGroupOffsets(group, Set.of(partition))
                            .partitionResult(partition)
                            .get())
                    .hasCauseInstanceOf(GroupSubscribedToTopicException.class);
        }
        BROKER.admin()
                .alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(3)))
                .all()
                .get();
        assertThat(committed(group, partition).offset()).isEqualTo(3);
        BROKER.admin()
                .deleteConsumerGroupOffsets(group, Set.of(partition))
                .all()
                .get();
        BROKER.admin().deleteConsumerGroups(List.of(group)).all().get();
        assertThatThrownBy(() -> describe(group)).hasCauseInstanceOf(GroupIdNotFoundException.class);
    }
}
