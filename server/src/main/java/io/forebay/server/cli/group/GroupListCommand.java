package io.forebay.server.cli.group;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.TextTable;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.GroupListing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists groups. */
@Command(name = "list", description = "List groups with their type and state.")
final class GroupListCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    GroupListCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (BrokerAdmin broker = client.connect()) {
            Collection<GroupListing> found =
                    broker.await(broker.admin().listGroups().all());
            List<GroupListing> groups = found.stream()
                    .sorted(Comparator.comparing(GroupListing::groupId))
                    .toList();
            if (json) {
                console.out()
                        .println(Json.text(groups.stream()
                                .map(group -> Json.object(
                                        "group",
                                        group.groupId(),
                                        "type",
                                        word(group.type()),
                                        "state",
                                        word(group.groupState()),
                                        "protocol",
                                        group.protocol()))
                                .toList()));
            } else if (!groups.isEmpty()) {
                TextTable table = new TextTable("group", "type", "state");
                groups.forEach(group -> table.row(group.groupId(), word(group.type()), word(group.groupState())));
                table.print(console.out());
            }
        }
        return ExitCode.DONE;
    }

    private static String word(Optional<?> value) {
        return value.map(v -> v.toString().toLowerCase(Locale.ROOT)).orElse("unknown");
    }
}
