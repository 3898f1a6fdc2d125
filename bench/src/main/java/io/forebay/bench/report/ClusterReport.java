package io.forebay.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The generated part of docs/benchmarks-cluster.md: how it was made, and a table for each group of figures, with each figure of each system a line. Pure. */
public final class ClusterReport {
    private ClusterReport() {}

    /** The block, without its markers. Metrics without any figure are left out. */
    public static String render(Setting setting, Samples samples) {
        StringBuilder text = new StringBuilder();
        MarkdownReport.heading(text, setting, samples);
        Judge judge = new Judge(samples);
        ClusterMetrics.groups().forEach((title, metrics) -> group(text, title, metrics, setting, samples, judge));
        if (!setting.troubles().isEmpty()) {
            text.append("Not finished:\n\n");
            setting.troubles()
                    .forEach(trouble -> text.append("- ").append(trouble).append('\n'));
        }
        return text.toString();
    }

    private static void group(
            StringBuilder text, String title, List<Metric> metrics, Setting setting, Samples samples, Judge judge) {
        List<List<String>> lines = new ArrayList<>();
        for (Metric metric : metrics) {
            for (Map.Entry<String, String> target : setting.targets().entrySet()) {
                Finding finding = judge.find(metric, target.getKey());
                finding.values().ifPresent(values -> lines.add(line(metric, target, finding, values, samples)));
            }
        }
        if (lines.isEmpty()) {
            return;
        }
        text.append("### ").append(title).append("\n\n");
        MarkdownReport.line(text, List.of("what", "on", "figure", "unit", "rounds", "bar"));
        MarkdownReport.line(text, List.of("---", "---", "---:", "---", "---:", "---"));
        lines.forEach(line -> MarkdownReport.line(text, line));
        text.append('\n');
    }

    private static List<String> line(
            Metric metric, Map.Entry<String, String> target, Finding finding, Spread values, Samples samples) {
        long quiet = samples.of(metric.id(), target.getKey()).values().stream()
                .filter(Sample::quiet)
                .count();
        String rounds = metric.quietOnly() ? "%d, %d quiet".formatted(values.count(), quiet) : "" + values.count();
        Optional<String> bar = finding.verdict() == Verdict.UNJUDGED
                ? Optional.empty()
                : Optional.of(metric.bar(target.getKey()).words(metric.unit()).trim() + ": "
                        + finding.verdict().words());
        return List.of(
                metric.label(),
                target.getValue(),
                MarkdownReport.spread(values, metric.digits()),
                metric.unit(),
                rounds,
                bar.orElse(""));
    }
}
