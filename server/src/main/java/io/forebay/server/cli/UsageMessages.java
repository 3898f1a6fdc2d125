package io.forebay.server.cli;

import io.forebay.server.cli.terminal.ExitCode;
import io.forebay.server.config.NearestKey;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Answers a command line that cannot be understood: what is wrong and where to read on; the whole help only to who named no command. The
 * sentences are those that commands and settings use.
 */
final class UsageMessages implements IParameterExceptionHandler {
    /** What commands of commands say when called alone. */
    private static final String MISSING = "Missing command";

    private static final Set<Class<?>> WHOLE_NUMBERS =
            Set.of(int.class, Integer.class, long.class, Long.class, short.class, Short.class);
    private static final Set<Class<?>> NUMBERS = Set.of(double.class, Double.class);

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
            err.println("forebay: missing command");
            command.usage(err);
            return ExitCode.USAGE;
        }
        sentences(problem).forEach(sentence -> err.println("forebay: " + sentence));
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.USAGE;
    }

    private static List<String> sentences(ParameterException problem) {
        if (problem instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched.getUnmatched(), problem.getCommandLine());
        }
        if (problem instanceof MissingParameterException missing) {
            return missing.getMissing().stream().map(UsageMessages::missing).toList();
        }
        ArgSpec where = problem.getArgSpec();
        String value = problem.getValue();
        if (where == null || value == null) {
            return List.of(String.valueOf(problem.getMessage()));
        }
        return List.of("bad value '" + value + "' for " + name(where) + ": " + expectation(where, problem));
    }

    /** What was left over: a word in place of a command, options with their values, or words too many. */
    private static List<String> unmatched(List<String> words, CommandLine command) {
        Set<String> commands = command.getSubcommands().keySet();
        if (!commands.isEmpty() && !isOption(words.get(0))) {
            return List.of("there is no command '" + words.get(0) + "'" + hint(words.get(0), commands));
        }
        List<String> options = words.stream().filter(UsageMessages::isOption).toList();
        if (options.isEmpty()) {
            return List.of((words.size() == 1 ? "unexpected argument " : "unexpected arguments ")
                    + words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(", ")));
        }
        List<String> known = command.getCommandSpec().optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--"))
                .toList();
        return options.stream()
                .map(option -> option.contains("=") ? option.substring(0, option.indexOf('=')) : option)
                .map(option -> "unknown option '" + option + "'" + hint(option, known))
                .toList();
    }

    private static boolean isOption(String word) {
        return word.startsWith("-") && word.length() > 1;
    }

    private static String hint(String typed, Collection<String> known) {
        return NearestKey.ofShort(typed, known)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("");
    }

    private static String missing(ArgSpec what) {
        return what.isOption()
                ? "missing value for " + name(what) + ": expected " + what.paramLabel()
                : "missing parameter " + what.paramLabel();
    }

    private static String expectation(ArgSpec where, ParameterException problem) {
        if (where.typeInfo().isMap()) {
            return "expected " + where.paramLabel();
        }
        Class<?> type = where.auxiliaryTypes()[0];
        if (WHOLE_NUMBERS.contains(type) && where.converters().length == 0) {
            return "expected a whole number";
        }
        if (NUMBERS.contains(type)) {
            return "expected a number";
        }
        return problem.getCause() instanceof TypeConversionException own
                ? String.valueOf(own.getMessage())
                : "expected " + where.paramLabel();
    }

    private static String name(ArgSpec what) {
        return what instanceof OptionSpec option ? option.longestName() : what.paramLabel();
    }
}
