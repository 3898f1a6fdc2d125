package io.forebay.server.cli.topic;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes topics with all their records. */
@Command(name = "delete", description = "Delete topics with all their records.")
final class TopicDeleteCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of topics.")
    List<String> names = new ArrayList<>();

    @Option(names = "--if-exists", description = "Be content if there is none.")
    boolean ifExists;

    TopicDeleteCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (BrokerAdmin broker = client.connect()) {
            for (String name : names) {
                delete(broker, name);
            }
        }
        return ExitCode.DONE;
    }

    private void delete(BrokerAdmin broker, String name) {
        try {
            broker.await(broker.admin().deleteTopics(List.of(name)).all());
            console.out().println("deleted topic '" + name + "'");
        } catch (CommandFailure e) {
            Throwable cause = BrokerFailures.causeOf(e);
            if (!(cause instanceof UnknownTopicOrPartitionException)) {
                throw e;
            }
            if (!ifExists) {
                throw CommandFailure.failed("there is no topic '" + name + "'", e);
            }
        }
    }
}
