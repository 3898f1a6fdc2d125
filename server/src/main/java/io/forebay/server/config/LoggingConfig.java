package io.forebay.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What goes to the log.
 *
 * @param level of everything that {@code loggers} does not name
 * @param loggers levels of single loggers, by name prefix
 */
public record LoggingConfig(Level level, List<LoggerLevel> loggers) {

    /** How loud; each level contains those behind it. */
    public enum Level {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR,
        OFF
    }

    /** One logger's own level. */
    public record LoggerLevel(String logger, Level level) {}

    public LoggingConfig {
        loggers = List.copyOf(loggers);
    }

    static Optional<List<LoggerLevel>> parseLevels(String text) {
        List<LoggerLevel> result = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            String[] sides = part.split("=", 2);
            if (sides.length != 2 || sides[0].isBlank()) {
                return Optional.empty();
            }
            Optional<Level> level = parseLevel(sides[1]);
            if (level.isEmpty()) {
                return Optional.empty();
            }
            result.add(new LoggerLevel(sides[0].strip(), level.get()));
        }
        return Optional.of(List.copyOf(result));
    }

    private static Optional<Level> parseLevel(String text) {
        try {
            return Optional.of(Level.valueOf(text.strip().toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
