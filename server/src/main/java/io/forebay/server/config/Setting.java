package io.forebay.server.config;

import java.util.Optional;

/**
 * One thing that can be configured.
 *
 * @param key its name in the file and behind {@code --set}
 * @param section the heading it stands under in the documentation
 * @param defaultText the value taken when nobody sets it, written as a user would
 * @param doc one sentence, for users
 */
record Setting<T>(String key, String section, SettingType<T> type, String defaultText, String doc) {

    Setting {
        if (type.parse().apply(defaultText).isEmpty()) {
            throw new IllegalArgumentException("default of " + key + " is not valid: " + defaultText);
        }
    }

    Optional<T> parse(String text) {
        return type.parse().apply(text);
    }

    T defaultValue() {
        return parse(defaultText).orElseThrow();
    }

    /** What a value must look like, to complete "expected ...". */
    String expectation() {
        return type.unit().isEmpty() ? type.range() : type.range() + " (" + type.unit() + ")";
    }
}
