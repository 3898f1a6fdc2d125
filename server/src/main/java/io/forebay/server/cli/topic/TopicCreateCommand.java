package io.forebay.server.cli.topic;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates one topic. */
@Command(name = "create", description = "Create a topic.")
final class TopicCreateCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "NAME", description = "Name of the topic.")
    String name = "";

    @Option(names = "--partitions", paramLabel = "N", description = "Number of partitions (default: the broker's).")
    Optional<Integer> partitions = Optional.empty();

    @Option(
            names = "--replication-factor",
            paramLabel = "N",
            description = "Copies of each partition, for brokers that make copies (default: the broker's).")
    Optional<Short> replicationFactor = Optional.empty();

    @Option(
            names = "--config",
            paramLabel = "key=value",
            description = "Setting of the topic, e.g. retention.ms=3600000: as in Kafka, numbers have no units. May be"
                    + " given several times.")
    Map<String, String> config = new LinkedHashMap<>();

    @Option(names = "--if-not-exists", description = "Do nothing, successfully, if there is one already.")
    boolean ifNotExists;

    @Option(names = "--validate-only", description = "Only ask the broker whether it would do it.")
    boolean validateOnly;

    @Option(names = "--json", description = "Answer in JSON.")
    boolean json;

    TopicCreateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        partitions.filter(n -> n < 1).ifPresent(n -> {
            throw CommandFailure.usage("bad value '" + n + "' for --partitions: expected at least 1");
        });
        try (BrokerAdmin broker = client.connect()) {
            CreateTopicsResult result = broker.admin()
                    .createTopics(
                            List.of(new NewTopic(name, partitions, replicationFactor).configs(config)),
                            new CreateTopicsOptions().validateOnly(validateOnly));
            boolean created = created(result.all());
            if (created && !validateOnly) {
                noteUnmadeCopies(broker);
            }
            int count = created && !validateOnly ? broker.await(result.numPartitions(name)) : -1;
            print(created, count);
        }
        return ExitCode.DONE;
    }

    /** A broker whose store makes the copies takes any factor. */
    private void noteUnmadeCopies(BrokerAdmin broker) {
        if (replicationFactor.isEmpty() || replicationFactor.get() < 2) {
            return;
        }
        int wanted = replicationFactor.get();
        boolean fewer = broker.findTopic(name)
                .filter(made -> made.partitions().get(0).replicas().size() < wanted)
                .isPresent();
        if (fewer) {
            console.err()
                    .println("forebay: --replication-factor " + wanted
                            + " has no effect: the store replicates, not the broker");
        }
    }

    private boolean created(KafkaFuture<Void> answer) {
        try {
            answer.get();
            return true;
        } catch (ExecutionException e) {
            if (ifNotExists && e.getCause() instanceof TopicExistsException) {
                return false;
            }
            if (e.getCause() instanceof TopicExistsException) {
                throw CommandFailure.failed("topic '" + name + "' exists already", e);
            }
            throw TopicSettingNames.explain(BrokerFailures.explain(e), config.keySet());
        } catch (InterruptedException e) {
            throw BrokerFailures.interrupted(e);
        }
    }

    private void print(boolean created, int count) {
        if (json) {
            console.out()
                    .println(Json.text(Json.object(
                            "topic",
                            name,
                            "created",
                            created && !validateOnly,
                            "partitions",
                            count < 0 ? Optional.empty() : count)));
        } else if (validateOnly) {
            console.out().println("topic '" + name + "' could be created");
        } else if (created) {
            console.out().println("created topic '" + name + "' with " + Words.count(count, "partition"));
        } else {
            console.out().println("topic '" + name + "' exists already");
        }
    }
}
