package io.forebay.server.config;

/**
 * One setting as it stands on this node, for those who list settings.
 *
 * @param value plain text: numbers without units, empty if not set
 */
public record ConfigEntry(String key, String value, Source source, String doc) {

    /** Where a value came from; later ones win. */
    public enum Source {
        DEFAULT,
        FILE,
        COMMAND_LINE
    }
}
