package io.forebay.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code forebay} itself: it holds what every command has and does nothing alone. */
@Command(
        name = "forebay",
        description = "A message queue whose brokers keep no state.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        usageHelpAutoWidth = true,
        sortOptions = false,
        scope = ScopeType.INHERIT,
        footer = {"", "Exit codes: 0 done, 1 failed, 2 used wrongly."})
final class ForebayCommand implements Runnable {
    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Say more: logs of the client library, and the stack trace of a failure.")
    boolean verbose;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /** Whether {@code --verbose} was given, to whichever of the commands. */
    static boolean isVerbose(CommandLine command) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return root.getCommand() instanceof ForebayCommand forebay && forebay.verbose;
    }
}
