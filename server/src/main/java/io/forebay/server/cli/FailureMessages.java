package io.forebay.server.cli;

import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Answers a command that failed: one sentence, and the stack trace if it was asked for. */
final class FailureMessages implements IExecutionExceptionHandler {
    private final Console console;

    FailureMessages(Console console) {
        this.console = console;
    }

    @Override
    public int handleExecutionException(Exception problem, CommandLine command, ParseResult parsed) {
        console.out().flush();
        CommandFailure failure = BrokerFailures.explain(problem);
        console.err().println("forebay: " + failure.getMessage());
        if (failure.exitCode() == ExitCode.USAGE) {
            console.err().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        if (ForebayCommand.isVerbose(command)) {
            failure.printStackTrace(console.err());
        }
        console.err().flush();
        return failure.exitCode();
    }
}
