package io.forebay.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Checked texts of those settings that somebody set; all others have their default. */
final class SettingValues {
    private record Given(String text, ConfigEntry.Source source) {}

    private final Map<String, Given> given = new LinkedHashMap<>();

    /** Takes one assignment, or adds the reason why not to {@code problems}. */
    void take(ConfigText.Assignment assignment, List<String> problems) {
        Optional<Setting<?>> setting = Settings.find(assignment.key());
        if (setting.isEmpty()) {
            String hint = NearestKey.of(
                            assignment.key(),
                            Settings.all().stream().map(Setting::key).toList())
                    .map(key -> "; did you mean '" + key + "'?")
                    .orElse("; 'forebay start --help-config' lists them all");
            problems.add(assignment.where() + "unknown setting '" + assignment.key() + "'" + hint);
        } else if (setting.get().parse(assignment.value()).isEmpty()) {
            problems.add(assignment.where() + "bad value '" + assignment.value() + "' for '" + assignment.key()
                    + "': expected " + setting.get().expectation());
        } else {
            given.put(assignment.key(), new Given(assignment.value(), assignment.source()));
        }
    }

    <T> T value(Setting<T> setting) {
        Given mine = given.get(setting.key());
        return mine == null
                ? setting.defaultValue()
                : setting.parse(mine.text()).orElseThrow();
    }

    /** The value as plain text, numbers without units. */
    String plainText(Setting<?> setting) {
        Object value = value(setting);
        if (value instanceof Optional<?> optional) {
            return optional.map(Object::toString).orElse("");
        }
        if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
        if (value instanceof List<?>) {
            Given mine = given.get(setting.key());
            return mine == null ? setting.defaultText() : mine.text();
        }
        return value.toString();
    }

    List<ConfigEntry> entries() {
        return Settings.all().stream()
                .map(setting -> {
                    Given mine = given.get(setting.key());
                    return new ConfigEntry(
                            setting.key(),
                            plainText(setting),
                            mine == null ? ConfigEntry.Source.DEFAULT : mine.source(),
                            setting.doc());
                })
                .toList();
    }
}
