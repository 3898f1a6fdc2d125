package io.forebay.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Raw figures as JSON, with one run or one sample a line, so that they are read back without a parser for all of JSON.
 *
 * @param runs the runs that the samples come from
 * @param samples every sample
 */
public record RawFigures(List<Run> runs, List<Sample> samples) {
    private static final String TEXT = "\"((?:[^\"\\\\]|\\\\.)*)\"";
    private static final Pattern RUN = Pattern.compile(
            "\\{\"command\": " + TEXT + ", \"commit\": " + TEXT + ", \"date\": " + TEXT + ", \"minutes\": (\\d+)},?");
    private static final Pattern SAMPLE = Pattern.compile("\\{\"metric\": " + TEXT + ", \"target\": " + TEXT
            + ", \"round\": (\\d+), \"value\": ([-+.0-9Ee]+), \"quiet\": (true|false)},?");

    public RawFigures {
        runs = List.copyOf(runs);
        samples = List.copyOf(samples);
    }

    /** Reads what {@link #render} wrote; other lines are passed over. */
    public static RawFigures parse(String json) {
        List<Run> runs = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        for (String line : json.lines().map(String::trim).toList()) {
            Matcher run = RUN.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (run.matches()) {
                runs.add(new Run(
                        plain(run.group(1)), plain(run.group(2)), plain(run.group(3)), Long.parseLong(run.group(4))));
            } else if (sample.matches()) {
                samples.add(new Sample(
                        plain(sample.group(1)),
                        plain(sample.group(2)),
                        Integer.parseInt(sample.group(3)),
                        Double.parseDouble(sample.group(4)),
                        Boolean.parseBoolean(sample.group(5))));
            }
        }
        return new RawFigures(runs, samples);
    }

    /** One object: the machine, the flags, the runs, the samples. */
    String render(Setting setting) {
        return """
                {
                "cpus": %d, "cpu": %s, "kernel": %s, "java": %s,
                "flags": [%s],
                "troubles": [%s],
                "runs": [
                %s
                ],
                "samples": [
                %s
                ]
                }
                """.formatted(
                        setting.machine().cpus(),
                        quote(setting.machine().cpuModel()),
                        quote(setting.machine().kernel()),
                        quote(setting.machine().java()),
                        setting.flags().stream().map(RawFigures::quote).collect(Collectors.joining(", ")),
                        setting.troubles().stream().map(RawFigures::quote).collect(Collectors.joining(", ")),
                        runs.stream().map(RawFigures::run).collect(Collectors.joining(",\n")),
                        samples.stream()
                                .filter(sample -> Double.isFinite(sample.value()))
                                .map(RawFigures::sample)
                                .collect(Collectors.joining(",\n")));
    }

    private static String run(Run run) {
        return "{\"command\": %s, \"commit\": %s, \"date\": %s, \"minutes\": %d}"
                .formatted(quote(run.command()), quote(run.commit()), quote(run.date()), run.minutes());
    }

    private static String sample(Sample sample) {
        return String.format(
                Locale.ROOT,
                "{\"metric\": %s, \"target\": %s, \"round\": %d, \"value\": %s, \"quiet\": %b}",
                quote(sample.metric()),
                quote(sample.target()),
                sample.round(),
                Double.toString(sample.value()),
                sample.quiet());
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                // What these texts are for can do without line ends and tabs.
                quoted.append(' ');
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static String plain(String quoted) {
        return quoted.replaceAll("\\\\(.)", "$1");
    }
}
