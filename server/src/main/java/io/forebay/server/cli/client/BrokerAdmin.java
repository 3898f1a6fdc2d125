package io.forebay.server.cli.client;

import io.forebay.server.cli.terminal.CommandFailure;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A connected admin client and the questions that several commands ask it. Use on one thread. */
public final class BrokerAdmin implements AutoCloseable {
    /** A broker at work answers this in milliseconds; a user waits for a sentence. */
    private static final int FIRST_ANSWER_TIMEOUT_MS = 8_000;

    private final Admin admin;

    private BrokerAdmin(Admin admin) {
        this.admin = admin;
    }

    /** Makes the client and waits for a first answer, which proves that a Kafka broker is at the other end. */
    static BrokerAdmin connect(String bootstrap, Map<String, Object> properties) {
        Admin admin;
        try {
            admin = Admin.create(properties);
        } catch (KafkaException e) {
            throw BrokerFailures.explain(e.getCause() == null ? e : e.getCause());
        }
        try {
            KafkaFuture<?> first = admin.describeCluster(
                            new DescribeClusterOptions().timeoutMs(FIRST_ANSWER_TIMEOUT_MS))
                    .clusterId();
            first.get();
            return new BrokerAdmin(admin);
        } catch (ExecutionException e) {
            admin.close(Duration.ZERO);
            if (e.getCause() instanceof TimeoutException) {
                throw CommandFailure.failed(
                        bootstrap + " accepts connections but does not answer like a Kafka broker (waited for "
                                + FIRST_ANSWER_TIMEOUT_MS / 1_000 + " s): check --bootstrap",
                        e);
            }
            throw BrokerFailures.explain(e);
        } catch (InterruptedException e) {
            admin.close(Duration.ZERO);
            throw BrokerFailures.interrupted(e);
        }
    }

    public Admin admin() {
        return admin;
    }

    /** Waits for an answer; a failure comes as one sentence. */
    public <T> T await(KafkaFuture<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw BrokerFailures.explain(e);
        } catch (InterruptedException e) {
            throw BrokerFailures.interrupted(e);
        }
    }

    /** The topic, if there is one of that name. */
    public Optional<TopicDescription> findTopic(String name) {
        KafkaFuture<Map<String, TopicDescription>> answer =
                admin.describeTopics(List.of(name)).allTopicNames();
        try {
            return Optional.ofNullable(answer.get().get(name));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw BrokerFailures.explain(e);
        } catch (InterruptedException e) {
            throw BrokerFailures.interrupted(e);
        }
    }

    /** The topic, or the end of the command. */
    public TopicDescription topic(String name) {
        return findTopic(name)
                .orElseThrow(() -> CommandFailure.failed("there is no topic '" + name
                        + "': `forebay topic list` shows those there are, `forebay topic create " + name
                        + "` makes it"));
    }

    /** The group; where there is none, a broker either fails or calls it dead. */
    public ConsumerGroupDescription group(String name) {
        Map<String, ConsumerGroupDescription> answer =
                await(admin.describeConsumerGroups(List.of(name)).all());
        return Optional.ofNullable(answer.get(name))
                .orElseThrow(() -> CommandFailure.failed("the broker said nothing about group '" + name + "'"));
    }

    /** For each partition the offset that the specification finds there; -1 where there is none. */
    public Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> question =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> spec));
        Map<TopicPartition, Long> result = new TreeMap<>(PartitionOrder.INSTANCE);
        if (!question.isEmpty()) {
            Map<TopicPartition, ListOffsetsResultInfo> answer =
                    await(admin.listOffsets(question).all());
            answer.forEach((partition, found) -> result.put(partition, found.offset()));
        }
        return result;
    }

    /** All partitions of a topic, in order. */
    public static Collection<TopicPartition> partitions(TopicDescription topic) {
        Map<Integer, TopicPartition> result = new LinkedHashMap<>();
        for (TopicPartitionInfo partition : topic.partitions()) {
            result.put(partition.partition(), new TopicPartition(topic.name(), partition.partition()));
        }
        return result.values();
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
