package io.forebay.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;
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
        CommandFailure failure = problem instanceof CommandFailure known ? known : BrokerFailures.explain(problem);
        console.err().println("forebay: " + failure.getMessage());
        if (parsed.hasMatchedOption("--verbose") || rootVerbose(command)) {
            failure.printStackTrace(console.err());
        }
        console.err().flush();
        return failure.exitCode();
    }

    private static boolean rootVerbose(CommandLine command) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return ((ForebayCommand) root.getCommand()).verbose;
    }

    /** Usage problems found while a command runs are shown like those found by the parser. */
    static ParameterException usage(CommandLine command, String message) {
        return new ParameterException(command, message);
    }
}
