package io.forebay.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.machine.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderTest {
    private static final String RATE = Metrics.at("produce.rate", 16);

    private final Samples samples = new Samples();

    @Test
    void writesMedianSpreadRatioAndVerdict() {
        samples.add(RATE, "kafka", 0, 100);
        samples.add(RATE, "kafka", 1, 110);
        samples.add(RATE, "os", 0, 150);
        samples.add(RATE, "os", 1, 154);

        String text = MarkdownReport.render(setting(), samples);

        assertThat(text)
                .contains("| produce throughput, 16 partitions | MiB/s | 105 (100…110) | 152 (150…154) "
                        + "| 1.45 (1.40…1.50) | ≥ 1.0 × Kafka: met |");
    }

    @Test
    void leavesOutMetricsWithoutFiguresAndNamesTroubles() {
        samples.add(RATE, "os", 0, 150);

        String text = MarkdownReport.render(setting(), samples);

        assertThat(text)
                .doesNotContain("idle RSS")
                .contains("| – | 150 | – | ≥ 1.0 × Kafka: not measured |")
                .contains("- latency: the client died")
                .contains("| run | `bin/bench --only produce`: 2026-01-02, 3 minutes, source `abc` |");
    }

    @Test
    void readsBackTheRawFiguresItWrote() {
        samples.add(new Sample("m", "os", 2, 1.5e-9, false));
        samples.add(new Sample("n", "kafka", 0, 12, true));
        RawFigures figures =
                new RawFigures(List.of(new Run("bin/bench --work \"C:\\d\"", "abc", "2026-01-02", 3)), samples.all());

        String json = figures.render(setting());

        assertThat(RawFigures.parse(json)).isEqualTo(figures);
        assertThat(json).contains("\"cpu\": \"A \\\"fast\\\" one\"");
    }

    @Test
    void keepsOnlyThoseEarlierFiguresThatWereNotMeasuredAgain() {
        samples.add("m", "os", 0, 1);

        samples.addMissing(List.of(new Sample("m", "kafka", 0, 2, true), new Sample("n", "kafka", 0, 3, true)));

        assertThat(samples.all())
                .containsExactly(new Sample("m", "os", 0, 1, true), new Sample("n", "kafka", 0, 3, true));
    }

    @Test
    void replacesOnlyTheMarkedPartOfAPage() {
        String page = ReportFiles.splice("# Title\n\nMethod.\n", "first\n");
        String again = ReportFiles.splice(page + "\nMore words.\n", "second\n");

        assertThat(page).startsWith("# Title\n\nMethod.\n\n" + ReportFiles.BEGIN + "\nfirst\n" + ReportFiles.END);
        assertThat(again).contains("Method.", "second", "More words.").doesNotContain("first");
    }

    @Test
    void writesBothFilesAndKeepsThePagesOwnWords(@TempDir Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), "# Mine\n");
        ReportFiles files = new ReportFiles(page, folder.resolve("raw/figures.json"));
        samples.add(RATE, "os", 0, 150);

        files.write(setting(), samples);
        files.write(setting(), samples);

        assertThat(Files.readString(page)).startsWith("# Mine\n").containsOnlyOnce(ReportFiles.BEGIN);
        assertThat(folder.resolve("raw/figures.json")).exists();
    }

    @Test
    void namesEveryMetricOnce() {
        Set<String> names = new HashSet<>();
        for (Metric metric : Metrics.all()) {
            assertThat(names.add(metric.id())).as(metric.id()).isTrue();
        }
        assertThat(names).contains(Metrics.MANY_CLIENT_THREAD, Metrics.latency(1000, 0, "p99"), "idle.memory.2048");
    }

    private static Setting setting() {
        Map<String, String> targets = new LinkedHashMap<>();
        targets.put("kafka", "Kafka");
        targets.put("os", "Forebay os");
        return new Setting(
                List.of(new Run("bin/bench --only produce", "abc", "2026-01-02", 3)),
                new Machine(2, "A \"fast\" one", 8L << 30, "Linux 6", "ext4", "Java 17"),
                targets,
                List.of("flags"),
                List.of("latency: the client died"));
    }
}
