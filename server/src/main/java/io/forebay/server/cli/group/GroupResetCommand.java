package io.forebay.server.cli.group;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.client.OffsetTarget;
import io.forebay.server.cli.client.PartitionOrder;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.Numbers;
import io.forebay.server.cli.terminal.TextTable;
import io.forebay.server.cli.terminal.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves the committed offsets of a group that has no members. */
@Command(
        name = "reset",
        description = {
            "Move the committed offsets of a group that has no active members.",
            "Only shows what it would do unless --execute is given."
        })
final class GroupResetCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "GROUP", description = "Name of the group.")
    String name = "";

    @Option(
            names = "--topic",
            paramLabel = "TOPIC[:P,P]",
            description = "Topic, or some partitions of it. May be given several times (default: every partition the"
                    + " group has committed).")
    List<String> topics = new ArrayList<>();

    @Option(
            names = "--to",
            paramLabel = "PLACE",
            description = "New place: earliest, latest, an offset, -N for N before the end, a time such as"
                    + " 2030-01-31T12:00:00Z, or @MILLISECONDS.")
    Optional<String> to = Optional.empty();

    @Option(names = "--shift", paramLabel = "N", description = "Move by N records, back if N is negative.")
    Optional<Long> shift = Optional.empty();

    @Option(names = "--execute", description = "Do it.")
    boolean execute;

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    private record Move(TopicPartition partition, Optional<Long> from, long to) {}

    GroupResetCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (to.isPresent() == shift.isPresent()) {
            throw CommandFailure.usage("give either --to or --shift");
        }
        Optional<OffsetTarget> target = to.map(text -> OffsetTarget.require("--to", text));
        try (BrokerAdmin broker = client.connect()) {
            boolean described = describedWithoutMembers(broker);
            Map<TopicPartition, Long> committed = GroupView.committed(broker, name);
            if (!described && committed.isEmpty()) {
                requireThatItCanBeMade(name, topics, shift);
            }
            Collection<TopicPartition> partitions = topics.isEmpty() ? committed.keySet() : chosenPartitions(broker);
            if (partitions.isEmpty()) {
                throw CommandFailure.failed("group '" + name + "' has committed nothing: say with --topic what to set");
            }
            Map<TopicPartition, Long> wanted = target.isPresent()
                    ? target.get().resolve(broker, partitions)
                    : shifted(broker, partitions, committed);
            List<Move> moves = wanted.entrySet().stream()
                    .map(entry -> new Move(
                            entry.getKey(), Optional.ofNullable(committed.get(entry.getKey())), entry.getValue()))
                    .toList();
            if (execute) {
                apply(broker, wanted);
            }
            print(moves);
        }
        return ExitCode.DONE;
    }

    /** A group that is not there is made by offsets for it, if somebody says which. */
    static void requireThatItCanBeMade(String group, List<String> topics, Optional<Long> shift) {
        if (topics.isEmpty() || shift.isPresent()) {
            throw CommandFailure.failed("there is no group '" + group + "': `forebay group list` shows those there are,"
                    + " --topic with --to makes one with offsets of that topic");
        }
    }

    /** Whether the broker knows the group, which must have no members. Brokers say in two ways that they do not: by an error, or by calling it dead. */
    private boolean describedWithoutMembers(BrokerAdmin broker) {
        try {
            ConsumerGroupDescription group = broker.group(name);
            if (!group.members().isEmpty()) {
                throw CommandFailure.failed("group '" + name + "' has "
                        + Words.count(group.members().size(), "active member") + ": stop them first");
            }
            return group.groupState() != GroupState.DEAD;
        } catch (CommandFailure e) {
            if (!(e.getCause() != null && BrokerFailures.unwrap(e.getCause()) instanceof GroupIdNotFoundException)) {
                throw e;
            }
            return false;
        }
    }

    private Collection<TopicPartition> chosenPartitions(BrokerAdmin broker) {
        List<TopicPartition> result = new ArrayList<>();
        for (String text : topics) {
            int colon = text.indexOf(':');
            String topic = colon < 0 ? text : text.substring(0, colon);
            Collection<TopicPartition> all = BrokerAdmin.partitions(broker.topic(topic));
            if (colon < 0) {
                result.addAll(all);
                continue;
            }
            for (int number : Numbers.list("--topic", text.substring(colon + 1))) {
                TopicPartition partition = new TopicPartition(topic, number);
                if (!all.contains(partition)) {
                    throw CommandFailure.failed("topic '" + topic + "' has no partition " + number);
                }
                result.add(partition);
            }
        }
        return result;
    }

    private Map<TopicPartition, Long> shifted(
            BrokerAdmin broker, Collection<TopicPartition> partitions, Map<TopicPartition, Long> committed) {
        Map<TopicPartition, Long> first = broker.offsets(partitions, OffsetSpec.earliest());
        Map<TopicPartition, Long> end = broker.offsets(partitions, OffsetSpec.latest());
        Map<TopicPartition, Long> result = new TreeMap<>(PartitionOrder.INSTANCE);
        for (TopicPartition partition : partitions) {
            Long from = committed.get(partition);
            if (from == null) {
                throw CommandFailure.failed("group '" + name + "' has committed nothing in " + partition
                        + ": --shift has nothing to start from");
            }
            long wanted = from + shift.orElse(0L);
            result.put(
                    partition,
                    Math.max(first.getOrDefault(partition, 0L), Math.min(end.getOrDefault(partition, wanted), wanted)));
        }
        return result;
    }

    private void apply(BrokerAdmin broker, Map<TopicPartition, Long> wanted) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        wanted.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
        broker.await(broker.admin().alterConsumerGroupOffsets(name, offsets).all());
    }

    private void print(List<Move> moves) {
        if (json) {
            console.out()
                    .println(Json.text(Json.object(
                            "group",
                            name,
                            "executed",
                            execute,
                            "partitions",
                            moves.stream()
                                    .map(move -> Json.object(
                                            "topic",
                                            move.partition().topic(),
                                            "partition",
                                            move.partition().partition(),
                                            "from",
                                            move.from(),
                                            "to",
                                            move.to()))
                                    .collect(Collectors.toList()))));
            return;
        }
        TextTable table = new TextTable("topic", "partition", "from", "to");
        for (Move move : moves) {
            table.row(
                    move.partition().topic(),
                    move.partition().partition(),
                    move.from().map(Object::toString).orElse("-"),
                    move.to());
        }
        table.print(console.out());
        if (!execute) {
            console.err().println("forebay: nothing was changed; add --execute to do it");
        }
    }
}
