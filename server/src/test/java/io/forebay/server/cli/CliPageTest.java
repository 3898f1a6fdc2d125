package io.forebay.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.SystemClock;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Keeps {@code docs/cli.md} equal to what {@code --help} prints. To write it anew: {@code mvn -pl server -am test
 * -Dtest=CliPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dtest.argLine=-Dforebay.write.pages=true}.
 */
class CliPageTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");
    private static final int WIDTH = 110;
    private static final String INTRODUCTION = """
            # Command line

            `bin/forebay` is server and client in one. Every client command takes `--bootstrap HOST:PORT` (default
            127.0.0.1:9092) and works with any broker that speaks Kafka's protocol; only `cluster` talks to the nodes'
            control ports (`--control`, default 127.0.0.1:9096). Results go to standard output, everything else to
            standard error; exit codes are 0 done, 1 failed, 2 used wrongly; `--json` gives answers for scripts;
            `--verbose` shows the stack trace behind a failure.

            ```
            bin/forebay start                                            # a node on ./forebay-data
            bin/forebay start --dev-cluster 3                            # three nodes on one throw-away store
            bin/forebay cluster nodes
            bin/forebay topic create orders --partitions 4
            printf 'a:1\\nb:2\\n' | bin/forebay produce orders --key-separator :
            bin/forebay consume orders --format '%p %o %k=%v\\n'
            bin/forebay consume orders --group billing --follow
            bin/forebay group describe billing
            bin/forebay group reset billing --to 2030-01-31T12:00:00Z    # shows what it would do; --execute does it
            bin/forebay bench e2e --rate 10000 --duration 30s --warmup 5s
            ```

            Sizes are bytes or carry `KiB`, `MiB`, `GiB`; times are milliseconds or carry `ms`, `s`, `m`, `h`, `d`.
            Settings of topics (`--config retention.ms=3600000`) and of clients (`--client linger.ms=5`) are Kafka's own:
            plain numbers, without units.
            Settings of `start` are listed in [configuration.md](configuration.md).
            The percentiles of `bench` count from the moment a record was meant to be sent, so a stall counts for all
            records it held up.
            """;

    @Test
    void pageIsWhatHelpPrints() throws IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        CommandLine root = CommandTree.commandLine(
                        new Surroundings(Console.of(System.in, System.out, System.err), new SystemClock(), stop -> {}),
                        config -> {
                            throw new NodeStartException("unused");
                        })
                .setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(WIDTH);
        append(root, page);

        if (Boolean.getBoolean("forebay.write.pages")) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE)).isEqualTo(page.toString());
    }

    private static void append(CommandLine command, StringBuilder page) {
        page.append("\n## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```\n");
        command.getUsageMessage(Ansi.OFF)
                .lines()
                .forEach(line -> page.append(line.stripTrailing()).append('\n'));
        page.append("```\n");
        command.getSubcommands().values().forEach(sub -> append(sub, page));
    }
}
