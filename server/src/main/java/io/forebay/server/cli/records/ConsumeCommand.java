package io.forebay.server.cli.records;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.client.OffsetTarget;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Numbers;
import io.forebay.server.cli.terminal.StopRequest;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.cli.terminal.TextOptions;
import io.forebay.server.cli.terminal.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints records. */
@Command(
        name = "consume",
        description = {
            "Print the records of a topic up to its current end, or for ever with --follow.",
            "With --group it goes on where the group has committed, and commits what it has printed."
        })
public final class ConsumeCommand implements Callable<Integer> {
    private static final int MAX_POLL_RECORDS = 5_000;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private final Surroundings surroundings;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "TOPIC", description = "Topic to read.")
    String topic = "";

    @Option(
            names = "--from",
            paramLabel = "PLACE",
            description = "Where to begin: beginning, end, an offset, -N for the last N of each partition, a time such"
                    + " as 2030-01-31T12:00:00Z, or @MILLISECONDS (default: beginning). With --group only beginning"
                    + " or end, for partitions in which it has committed nothing.")
    Optional<String> from = Optional.empty();

    @Option(names = "--partition", paramLabel = "N[,N]", description = "Partitions to read (default: all).")
    Optional<String> partitions = Optional.empty();

    @Option(names = "--group", paramLabel = "GROUP", description = "Read as a member of this group.")
    Optional<String> group = Optional.empty();

    @Option(
            names = "--group-protocol",
            paramLabel = "classic|consumer",
            defaultValue = "consumer",
            description = "Protocol of the group (default: ${DEFAULT-VALUE}).")
    String groupProtocol = "";

    @Option(names = "--follow", description = "Do not stop at the end, wait for more.")
    boolean follow;

    @Option(names = "--max", paramLabel = "N", description = "Stop after N records.")
    Optional<Long> max = Optional.empty();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = TextOptions.Span.class,
            description = "Stop when nothing came for this long, with exit code 1 if something was still expected"
                    + " (default: 30s, none with --follow).")
    Optional<Duration> timeout = Optional.empty();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "value",
            description = "value, key-value, json, or a pattern with %%t topic, %%p partition, %%o offset, %%k key,"
                    + " %%v value, %%T timestamp, %%h headers, %%K and %%S length of key and value, \\n, \\t"
                    + " (default: ${DEFAULT-VALUE}).")
    String format = "";

    @Option(
            names = "--key-separator",
            paramLabel = "TEXT",
            defaultValue = "\\t",
            description = "Between key and value in the format key-value (default: tab).")
    String keySeparator = "";

    @Option(
            names = "--isolation",
            paramLabel = "LEVEL",
            defaultValue = "read_uncommitted",
            description = "read_uncommitted, or read_committed to leave out what transactions took back (default:"
                    + " ${DEFAULT-VALUE}).")
    String isolation = "";

    public ConsumeCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        OffsetTarget target =
                from.map(text -> OffsetTarget.require("--from", text)).orElse(OffsetTarget.BEGINNING);
        RecordFormat recordFormat = RecordFormat.of(format, RecordLine.separator(keySeparator));
        TextOptions.requireOneOf("--isolation", isolation, "read_uncommitted", "read_committed");
        TextOptions.requireOneOf("--group-protocol", groupProtocol, "classic", "consumer");
        if (group.isPresent()) {
            checkGroupOptions(target);
        }
        try (BrokerAdmin broker = client.connect()) {
            Collection<TopicPartition> chosen = chosenPartitions(broker);
            try (StopRequest stop = new StopRequest(surroundings.stopSignal());
                    KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties(target))) {
                stop.wakeWith(consumer::wakeup);
                ConsumeLoop loop = new ConsumeLoop(surroundings, consumer, recordFormat, stop, limits());
                if (group.isPresent()) {
                    loop.joinGroup(topic, chosen);
                } else {
                    Map<TopicPartition, Long> starts = target.resolve(broker, chosen);
                    loop.startAt(starts);
                    noteBeyondEnd(target, starts, loop.ends());
                }
                return report(loop.run(), loop);
            }
        }
    }

    /** Somebody who gets nothing should not have to guess why. */
    private void noteBeyondEnd(OffsetTarget target, Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {
        target.beyond(starts, ends)
                .ifPresent(end -> surroundings
                        .console()
                        .err()
                        .println("forebay: --from " + from.orElse("") + " is beyond the end (offset " + end + ")"
                                + (follow ? "; waiting for new records" : ": there is nothing to print")));
    }

    private ConsumeLoop.Limits limits() {
        Optional<Duration> wait = timeout.or(() -> follow ? Optional.empty() : Optional.of(DEFAULT_TIMEOUT));
        return new ConsumeLoop.Limits(follow, max, wait);
    }

    private int report(ConsumeLoop.End end, ConsumeLoop loop) {
        if (end != ConsumeLoop.End.TIMED_OUT || (follow && max.isEmpty())) {
            return ExitCode.DONE;
        }
        throw CommandFailure.failed("nothing came for "
                + Words.seconds(timeout.orElse(DEFAULT_TIMEOUT).toMillis() / 1e3) + " although more was expected; "
                + Words.count(loop.printed(), "record") + " printed");
    }

    private void checkGroupOptions(OffsetTarget target) {
        if (target.kind() != OffsetTarget.Kind.BEGINNING && target.kind() != OffsetTarget.Kind.END) {
            throw CommandFailure.usage("with --group, --from can only be beginning or end; `forebay group reset` moves"
                    + " a group to any other place");
        }
        if (partitions.isPresent()) {
            throw CommandFailure.usage("--partition and --group exclude each other: the group gives out partitions");
        }
    }

    private Collection<TopicPartition> chosenPartitions(BrokerAdmin broker) {
        Collection<TopicPartition> all = BrokerAdmin.partitions(broker.topic(topic));
        if (partitions.isEmpty()) {
            return all;
        }
        List<TopicPartition> chosen = new ArrayList<>();
        for (int number : Numbers.list("--partition", partitions.get())) {
            TopicPartition partition = new TopicPartition(topic, number);
            if (!all.contains(partition)) {
                throw CommandFailure.failed("topic '" + topic + "' has no partition " + number + ": it has "
                        + Words.count(all.size(), "partition"));
            }
            chosen.add(partition);
        }
        return chosen;
    }

    private Map<String, Object> properties(OffsetTarget target) {
        Map<String, Object> wanted = new HashMap<>();
        wanted.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        wanted.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        wanted.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        wanted.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        wanted.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
        wanted.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        wanted.put(
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                target.kind() == OffsetTarget.Kind.END ? "latest" : "earliest");
        group.ifPresent(name -> {
            wanted.put(ConsumerConfig.GROUP_ID_CONFIG, name);
            wanted.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, groupProtocol);
        });
        return client.properties(wanted);
    }
}
