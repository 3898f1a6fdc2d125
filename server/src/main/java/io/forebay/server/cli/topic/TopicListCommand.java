package io.forebay.server.cli.topic;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicListing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists topics. */
@Command(name = "list", description = "List the names of topics, one a line.")
final class TopicListCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Option(names = "--internal", description = "Show internal topics, too.")
    boolean internal;

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    TopicListCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (BrokerAdmin broker = client.connect()) {
            Collection<TopicListing> found = broker.await(broker.admin()
                    .listTopics(new ListTopicsOptions().listInternal(internal))
                    .listings());
            List<TopicListing> topics = found.stream()
                    .sorted(Comparator.comparing(TopicListing::name))
                    .toList();
            if (json) {
                console.out()
                        .println(Json.text(topics.stream()
                                .map(topic -> Json.object(
                                        "topic", topic.name(), "id", topic.topicId(), "internal", topic.isInternal()))
                                .toList()));
            } else {
                topics.forEach(topic -> console.out().println(topic.name()));
            }
        }
        return ExitCode.DONE;
    }
}
