package io.forebay.server.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a configuration file, line by line: {@code key = value}; blank lines and lines that start with {@code #}
 * are skipped; a backslash is an ordinary character.
 *
 * @param name what messages call the file
 */
public record ConfigText(String name, List<String> lines) {

    /** One assignment and where it stands, for messages. */
    record Assignment(String where, String key, String value, ConfigEntry.Source source) {}

    public ConfigText {
        lines = List.copyOf(lines);
    }

    List<Assignment> assignments(List<String> problems) {
        List<Assignment> result = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String where = name + ":" + (i + 1) + ": ";
            int equals = line.indexOf('=');
            if (equals <= 0) {
                problems.add(where + "expected 'key = value' but found '" + line + "'");
                continue;
            }
            result.add(new Assignment(
                    where,
                    line.substring(0, equals).strip(),
                    line.substring(equals + 1).strip(),
                    ConfigEntry.Source.FILE));
        }
        return result;
    }

    static List<Assignment> fromCommandLine(List<String> texts, List<String> problems) {
        List<Assignment> result = new ArrayList<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals <= 0) {
                problems.add("expected --set key=value but found '" + text + "'");
                continue;
            }
            result.add(new Assignment(
                    "",
                    text.substring(0, equals).strip(),
                    text.substring(equals + 1).strip(),
                    ConfigEntry.Source.COMMAND_LINE));
        }
        return result;
    }
}
