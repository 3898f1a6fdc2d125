package io.forebay.server.cli.group;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.TextTable;
import io.forebay.server.cli.terminal.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows members, committed offsets and lag of groups. */
@Command(name = "describe", description = "Show members, committed offsets and lag of groups.")
final class GroupDescribeCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "GROUP", arity = "1..*", description = "Names of groups.")
    List<String> names = new ArrayList<>();

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    GroupDescribeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (BrokerAdmin broker = client.connect()) {
            List<GroupView> views = new ArrayList<>();
            for (String name : names) {
                views.add(look(broker, name));
            }
            if (json) {
                console.out()
                        .println(Json.text(
                                views.stream().map(GroupDescribeCommand::toJson).toList()));
            } else {
                views.forEach(this::print);
            }
        }
        return ExitCode.DONE;
    }

    /** Brokers say in two ways that there is no such group: by an error, or by calling it dead. */
    private static GroupView look(BrokerAdmin broker, String name) {
        try {
            GroupView view = GroupView.of(broker, name);
            if (view.group().groupState() != GroupState.DEAD || !view.rows().isEmpty()) {
                return view;
            }
        } catch (CommandFailure e) {
            if (e.getCause() == null || !(BrokerFailures.unwrap(e.getCause()) instanceof GroupIdNotFoundException)) {
                throw e;
            }
        }
        throw CommandFailure.failed("there is no group '" + name + "': `forebay group list` shows those there are");
    }

    private void print(GroupView view) {
        int members = view.group().members().size();
        console.out()
                .println(view.group().groupId() + "  " + view.type() + "  " + view.state() + "  "
                        + Words.count(members, "member") + "  lag " + view.totalLag()
                        + view.coordinator()
                                .map(node -> "  coordinator " + node.id() + " at " + node.host() + ":" + node.port())
                                .orElse(""));
        if (!view.rows().isEmpty()) {
            TextTable table = new TextTable("  topic", "partition", "committed", "end", "lag", "member");
            for (GroupView.Row row : view.rows()) {
                table.row(
                        "  " + row.partition().topic(),
                        row.partition().partition(),
                        dash(row.committed()),
                        dash(row.end()),
                        dash(row.lag()),
                        row.owner()
                                .map(member -> member.clientId() + "@" + host(member))
                                .orElse("-"));
            }
            table.print(console.out());
        }
    }

    private static Map<String, Object> toJson(GroupView view) {
        List<Object> partitions = new ArrayList<>();
        for (GroupView.Row row : view.rows()) {
            partitions.add(Json.object(
                    "topic",
                    row.partition().topic(),
                    "partition",
                    row.partition().partition(),
                    "committed",
                    row.committed(),
                    "end",
                    row.end(),
                    "lag",
                    row.lag(),
                    "member",
                    row.owner().map(MemberDescription::consumerId)));
        }
        List<Object> members = new ArrayList<>();
        for (MemberDescription member : view.group().members()) {
            members.add(Json.object(
                    "member",
                    member.consumerId(),
                    "instance",
                    member.groupInstanceId(),
                    "client",
                    member.clientId(),
                    "host",
                    host(member),
                    "partitions",
                    member.assignment().topicPartitions().size()));
        }
        return Json.object(
                "group",
                view.group().groupId(),
                "type",
                view.type(),
                "state",
                view.state(),
                "assignor",
                view.group().partitionAssignor(),
                "lag",
                view.totalLag(),
                "members",
                members,
                "partitions",
                partitions);
    }

    private static String host(MemberDescription member) {
        return member.host().startsWith("/") ? member.host().substring(1) : member.host();
    }

    private static String dash(Optional<Long> value) {
        return value.map(Object::toString).orElse("-");
    }
}
