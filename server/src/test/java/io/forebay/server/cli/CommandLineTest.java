package io.forebay.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.SystemClock;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.Surroundings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CommandLineTest {

    @Test
    void versionIsPrinted() {
        CommandRun run = CommandRun.of("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).matches("forebay \\d+\\.\\d+\\.\\d+.*\\R");
    }

    @Test
    void everyCommandHasHelpAndVersion() {
        for (List<String> path : commandPaths()) {
            List<String> help = new ArrayList<>(path);
            help.add("--help");
            CommandRun run = CommandRun.of(help.toArray(String[]::new));

            assertThat(run.exitCode()).as("%s", help).isZero();
            assertThat(run.out()).as("%s", help).contains("Usage: " + String.join(" ", prefixed(path)));
            assertThat(run.out()).as("%s", help).contains("--version", "--verbose", "Exit codes");
            assertThat(run.err()).as("%s", help).isEmpty();
        }
    }

    @Test
    void noCommandIsAUsageError() {
        CommandRun run = CommandRun.of();

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("missing command", "Usage: forebay ", "Start a node and serve");
    }

    @Test
    void helpIsAlsoAWord() {
        assertThat(CommandRun.of("help")).isEqualTo(CommandRun.of("--help"));
        assertThat(CommandRun.of("help", "topic")).isEqualTo(CommandRun.of("topic", "--help"));
    }

    @Test
    void whatIsTooMuchIsNamed() {
        assertThat(CommandRun.of("start", "a", "b").err()).startsWith("forebay: unexpected arguments 'a', 'b'");
        assertThat(CommandRun.of("topic", "lst").err()).startsWith("forebay: there is no command 'lst'");
        assertThat(CommandRun.of("stop").exitCode()).isEqualTo(2);
    }

    @Test
    void unknownCommandIsAUsageErrorWithASuggestion() {
        CommandRun run = CommandRun.of("startt");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("start");
    }

    @Test
    void onlyWhatIsNearIsSuggested() {
        assertThat(CommandRun.of("topics", "list").err())
                .startsWith("forebay: there is no command 'topics'; did you mean 'topic'?" + System.lineSeparator());
        assertThat(CommandRun.of("stop").err())
                .startsWith("forebay: there is no command 'stop'" + System.lineSeparator());
        assertThat(CommandRun.of("topic", "create", "t", "--partition", "3")
                        .err()
                        .lines())
                .containsExactly(
                        "forebay: unknown option '--partition'; did you mean '--partitions'?",
                        "Try 'forebay topic create --help'.");
        assertThat(CommandRun.of("start", "--colour=red", "--lisen=x").err().lines())
                .containsExactly(
                        "forebay: unknown option '--colour'",
                        "forebay: unknown option '--lisen'; did you mean '--listen'?",
                        "Try 'forebay start --help'.");
    }

    @Test
    void unknownOptionIsAUsageError() {
        CommandRun run = CommandRun.of("start", "--listne", "x");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--listen", "Try 'forebay start --help'.");
    }

    private static List<String> prefixed(List<String> path) {
        List<String> result = new ArrayList<>(List.of("forebay"));
        result.addAll(path);
        return result;
    }

    private static List<List<String>> commandPaths() {
        CommandLine root = CommandTree.commandLine(
                new Surroundings(Console.of(System.in, System.out, System.err), new SystemClock(), stop -> {}),
                config -> {
                    throw new NodeStartException("unused");
                });
        List<List<String>> paths = new ArrayList<>();
        collect(root, List.of(), paths);
        return paths;
    }

    private static void collect(CommandLine command, List<String> path, List<List<String>> paths) {
        paths.add(path);
        command.getSubcommands().forEach((name, sub) -> {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            collect(sub, longer, paths);
        });
    }
}
