package io.forebay.server.cli;

import io.forebay.server.cli.terminal.ExitCode;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Answers a command line that cannot be understood: what is wrong and where to read on, not the whole help. */
final class UsageMessages implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException problem, String[] args) {
        CommandLine command = problem.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("forebay: " + problem.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(problem, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }
}
