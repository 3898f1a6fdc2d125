package io.forebay.bench.report;

import io.forebay.bench.machine.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The generated part of docs/benchmarks.md: how it was made, and the table. Pure. */
public final class MarkdownReport {
    private static final double GIB = 1024.0 * 1024 * 1024;

    private MarkdownReport() {}

    /** The block, without its markers. Metrics without any figure are left out. */
    public static String render(Setting setting, Samples samples) {
        StringBuilder text = new StringBuilder();
        heading(text, setting, samples);
        table(text, setting, samples);
        if (!setting.troubles().isEmpty()) {
            text.append("\nNot finished:\n\n");
            setting.troubles()
                    .forEach(trouble -> text.append("- ").append(trouble).append('\n'));
        }
        return text.toString();
    }

    static void heading(StringBuilder text, Setting setting, Samples samples) {
        Machine machine = setting.machine();
        text.append("| | |\n|---|---|\n");
        for (Run run : setting.runs()) {
            String when = "%s, %d minutes, source `%s`".formatted(run.date(), run.minutes(), run.commit());
            pair(text, "run", "`" + run.command() + "`: " + when);
        }
        pair(
                text,
                "machine",
                String.format(
                        Locale.ROOT,
                        "%d CPUs (%s), %.0f GiB, %s, %s, %s",
                        machine.cpus(),
                        machine.cpuModel(),
                        machine.memoryBytes() / GIB,
                        machine.fileSystem(),
                        machine.kernel(),
                        machine.java()));
        String syncs = syncs(samples);
        if (!syncs.isEmpty()) {
            pair(text, "raw fdatasync at the pace and size of a load's requests, p50 / p99", syncs);
        }
        setting.flags().forEach(flags -> pair(text, "started as", "`" + flags + "`"));
        text.append('\n');
    }

    private static String syncs(Samples samples) {
        List<String> each = new ArrayList<>();
        for (int rate : Metrics.LATENCY_RATES) {
            for (int linger : Metrics.LATENCY_LINGERS) {
                Optional<Spread> p50 = disk(samples, Metrics.latency(rate, linger, "p50"));
                Optional<Spread> p99 = disk(samples, Metrics.latency(rate, linger, "p99"));
                if (p50.isPresent() && p99.isPresent()) {
                    each.add(String.format(
                            Locale.ROOT,
                            "%,d msg/s, linger %d ms: %.2f / %.2f ms",
                            rate,
                            linger,
                            p50.get().median(),
                            p99.get().median()));
                }
            }
        }
        return String.join("; ", each);
    }

    private static Optional<Spread> disk(Samples samples, String latency) {
        List<Double> values = samples.of(Metrics.syncBeside(latency), Metrics.DISK).values().stream()
                .map(Sample::value)
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }

    private static void pair(StringBuilder text, String name, String value) {
        text.append("| ")
                .append(name)
                .append(" | ")
                .append(value.replace("|", "\\|"))
                .append(" |\n");
    }

    private static void table(StringBuilder text, Setting setting, Samples samples) {
        List<String> head = new ArrayList<>(List.of("what", "unit"));
        for (Map.Entry<String, String> target : setting.targets().entrySet()) {
            head.add(target.getValue());
            if (!target.getKey().equals(Judge.BASELINE)) {
                head.addAll(List.of("× Kafka", "bar"));
            }
        }
        line(text, head);
        line(text, head.stream().map(cell -> "---").toList());
        Judge judge = new Judge(samples);
        for (Metric metric : Metrics.all()) {
            Map<String, Finding> findings = setting.targets().keySet().stream()
                    .collect(Collectors.toMap(target -> target, target -> judge.find(metric, target)));
            if (findings.values().stream().anyMatch(finding -> finding.values().isPresent())) {
                line(text, row(metric, setting, findings));
            }
        }
    }

    private static List<String> row(Metric metric, Setting setting, Map<String, Finding> findings) {
        List<String> cells = new ArrayList<>(List.of(metric.label(), metric.unit()));
        for (String target : setting.targets().keySet()) {
            Finding finding = Objects.requireNonNull(findings.get(target));
            cells.add(finding.values()
                    .map(values -> spread(values, metric.digits()))
                    .orElse("–"));
            if (!target.equals(Judge.BASELINE)) {
                cells.add(finding.ratio().map(ratio -> spread(ratio, 2)).orElse("–"));
                cells.add(bar(metric, target, finding.verdict()));
            }
        }
        return cells;
    }

    private static String bar(Metric metric, String target, Verdict verdict) {
        return verdict == Verdict.UNJUDGED ? "" : metric.bar(target).words(metric.unit()) + ": " + verdict.words();
    }

    static String spread(Spread spread, int digits) {
        String number = "%." + digits + "f";
        String format = spread.count() == 1 ? number : number + " (" + number + "…" + number + ")";
        return String.format(Locale.ROOT, format, spread.median(), spread.min(), spread.max());
    }

    static void line(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
