package io.forebay.server.cli.group;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.client.ClientOptions;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes groups without members, with all they have committed. */
@Command(name = "delete", description = "Delete groups that have no active members, with all they have committed.")
final class GroupDeleteCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    ClientOptions client = new ClientOptions();

    @Parameters(paramLabel = "GROUP", arity = "1..*", description = "Names of groups.")
    List<String> names = new ArrayList<>();

    @Option(names = "--if-exists", description = "Be content if there is none.")
    boolean ifExists;

    GroupDeleteCommand(Console console) {
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
            broker.await(broker.admin().deleteConsumerGroups(List.of(name)).all());
            console.out().println("deleted group '" + name + "'");
        } catch (CommandFailure e) {
            Throwable cause = BrokerFailures.causeOf(e);
            if (cause instanceof GroupNotEmptyException) {
                throw CommandFailure.failed("group '" + name + "' has active members: stop them first", e);
            }
            if (!(cause instanceof GroupIdNotFoundException)) {
                throw e;
            }
            if (!ifExists) {
                throw CommandFailure.failed("there is no group '" + name + "'", e);
            }
        }
    }
}
