package io.forebay.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Raw figures as JSON, one sample a line. Pure. */
public final class JsonReport {
    private JsonReport() {}

    /** An object with how the run was made and the list of its samples. */
    public static String render(Setting setting, List<Sample> samples) {
        return """
                {"command": %s, "commit": %s, "date": %s, "cpus": %d, "cpu": %s, "kernel": %s, "java": %s,
                 "flags": [%s],
                 "troubles": [%s],
                 "samples": [
                %s
                ]}
                """.formatted(
                        quote(setting.command()),
                        quote(setting.commit()),
                        quote(setting.date()),
                        setting.machine().cpus(),
                        quote(setting.machine().cpuModel()),
                        quote(setting.machine().kernel()),
                        quote(setting.machine().java()),
                        setting.flags().stream().map(JsonReport::quote).collect(Collectors.joining(", ")),
                        setting.troubles().stream().map(JsonReport::quote).collect(Collectors.joining(", ")),
                        samples.stream().map(JsonReport::sample).collect(Collectors.joining(",\n")));
    }

    private static String sample(Sample sample) {
        return String.format(
                Locale.ROOT,
                "{\"metric\": %s, \"target\": %s, \"round\": %d, \"value\": %s, \"quiet\": %b}",
                quote(sample.metric()),
                quote(sample.target()),
                sample.round(),
                Double.isFinite(sample.value()) ? Double.toString(sample.value()) : "null",
                sample.quiet());
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
