package io.forebay.server.cli;

import io.forebay.server.cli.terminal.ExitCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Answers a command line that cannot be understood: what is wrong and where to read on; the whole help only to who named no command. */
final class UsageMessages implements IParameterExceptionHandler {
    /** What commands of commands say when called alone. */
    private static final String MISSING = "Missing command";

    @Override
    public int handleParseException(ParameterException problem, String[] args) {
        CommandLine command = problem.getCommandLine();
        if (command.getParent() == null && args.length > 0 && args[0].equals("help")) {
            CommandLine named = args.length > 1 ? command.getSubcommands().get(args[1]) : null;
            (named == null ? command : named).usage(command.getOut());
            return ExitCode.DONE;
        }
        PrintWriter err = command.getErr();
        if (MISSING.equals(problem.getMessage())) {
            err.println("forebay: " + MISSING);
            command.usage(err);
            return ExitCode.USAGE;
        }
        err.println("forebay: " + sentence(problem));
        UnmatchedArgumentException.printSuggestions(problem, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    private static String sentence(ParameterException problem) {
        if (!(problem instanceof UnmatchedArgumentException unmatched) || unmatched.isUnknownOption()) {
            return String.valueOf(problem.getMessage());
        }
        List<String> words = unmatched.getUnmatched();
        String quoted = words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(", "));
        if (problem.getCommandLine().getSubcommands().isEmpty()) {
            return (words.size() == 1 ? "unexpected argument " : "unexpected arguments ") + quoted;
        }
        return "there is no command '" + words.get(0) + "'";
    }
}
