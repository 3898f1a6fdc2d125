package io.forebay.server.config;

import io.forebay.broker.admin.TopicSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The table of settings written out for people: the documentation page, the commented file, the help text. */
public final class ConfigPages {
    private static final int WIDTH = 110;

    private ConfigPages() {}

    /** The content of {@code docs/configuration.md}. */
    public static String markdown() {
        StringBuilder out = new StringBuilder();
        out.append("# Configuration\n\n");
        out.append("Every setting has a default that works. Set one in a file (`bin/forebay start --config FILE`, ");
        out.append("one `key = value` a line,\n`#` starts a comment line, a backslash is an ordinary character) or ");
        out.append("with `--set key=value`, which wins over the file.\nAn unknown key or a value out of range is ");
        out.append("refused with the nearest key or the range. `conf/forebay.properties` lists all of this\nwith its ");
        out.append("defaults, `bin/forebay start --help-config` prints it.\n\n");
        out.append("Bytes are plain numbers or carry `KiB`, `MiB`, `GiB`, `TiB`; times are plain milliseconds or ");
        out.append("carry `ms`, `s`, `m`, `h`, `d`.\nNames that Kafka's brokers also have mean the same as there.\n");
        changing(out);
        for (String section : sections()) {
            out.append("\n## ").append(section).append("\n\n");
            out.append("| setting | default | values | what it does |\n|---|---|---|---|\n");
            for (Setting<?> setting : in(section)) {
                out.append("| `").append(setting.key()).append("` | ");
                out.append(setting.defaultText().isEmpty() ? "" : "`" + setting.defaultText() + "`");
                out.append(" | ").append(setting.expectation()).append(" | ").append(setting.doc());
                out.append(" |\n");
            }
        }
        return out.toString();
    }

    private static void changing(StringBuilder out) {
        out.append(
                "\n## Changing a running node\n\nThese are defaults of topics, and may be changed while a node runs, for one ");
        out.append("broker or for all:\n");
        out.append(Settings.all().stream()
                .map(Setting::key)
                .filter(TopicSettings::isDynamicBrokerSetting)
                .map(key -> "`" + key + "`")
                .collect(Collectors.joining(",\n", "", ".\n")));
        out.append(
                "\nThe tools of Apache Kafka do it (`--entity-default` in place of `--entity-name 1` means all brokers):\n");
        out.append(
                "\n```\nkafka-configs.sh --bootstrap-server 127.0.0.1:9092 --entity-type brokers --entity-name 1 \\\n");
        out.append("  --alter --add-config log.retention.ms=3600000\n```\n");
        out.append(
                "\nSuch a value is kept in the store. It wins over the file and over `--set`, also at every later start, ");
        out.append(
                "which says so in\nthe log; only a topic's own setting wins over it. `--delete-config log.retention.ms` ");
        out.append("instead of `--add-config` removes\nit. All other settings are read once, at the start.\n");
    }

    /** The content of {@code conf/forebay.properties}: every setting, commented out, with its default. */
    public static String propertiesFile() {
        StringBuilder out = new StringBuilder();
        out.append(
                "# Settings of a Forebay node, all with their defaults: remove the # in front of what you change.\n");
        out.append("# Use it with: bin/forebay start --config conf/forebay.properties\n");
        out.append("# Bytes: plain, or with KiB, MiB, GiB, TiB. Times: milliseconds, or with ms, s, m, h, d.\n");
        for (String section : sections()) {
            out.append("\n# ---- ").append(section).append(" ----\n");
            for (Setting<?> setting : in(section)) {
                out.append('\n');
                describe(setting).forEach(line -> out.append("# ").append(line).append('\n'));
                out.append("#").append(setting.key()).append(" = ").append(setting.defaultText());
                out.append('\n');
            }
        }
        return out.toString().replace(" = \n", " =\n");
    }

    /** What {@code forebay start --help-config} prints. */
    public static String help() {
        StringBuilder out = new StringBuilder();
        for (String section : sections()) {
            out.append(out.isEmpty() ? "" : "\n");
            out.append(section.toUpperCase(Locale.ROOT)).append('\n');
            for (Setting<?> setting : in(section)) {
                String value = setting.defaultText().isEmpty() ? "(not set)" : setting.defaultText();
                out.append("  ")
                        .append(setting.key())
                        .append(" = ")
                        .append(value)
                        .append('\n');
                describe(setting)
                        .forEach(line -> out.append("      ").append(line).append('\n'));
            }
        }
        return out.toString();
    }

    private static List<String> describe(Setting<?> setting) {
        List<String> lines = new ArrayList<>(wrap(setting.doc()));
        lines.addAll(wrap("Values: " + setting.expectation() + "."));
        return lines;
    }

    private static List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static List<String> sections() {
        return Settings.all().stream().map(Setting::section).distinct().toList();
    }

    private static List<Setting<?>> in(String section) {
        List<Setting<?>> result = new ArrayList<>();
        for (Setting<?> setting : Settings.all()) {
            if (setting.section().equals(section)) {
                result.add(setting);
            }
        }
        return result;
    }
}
