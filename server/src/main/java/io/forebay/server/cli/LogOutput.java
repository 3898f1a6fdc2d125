package io.forebay.server.cli;

import io.forebay.server.config.LoggingConfig;
import java.util.List;
import java.util.Locale;

/**
 * Sets up the log, which goes to standard error. It must be called before the first logger is made: the levels are
 * read once per process.
 */
final class LogOutput {
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private LogOutput() {}

    static void configure(LoggingConfig config) {
        System.setProperty(PREFIX + "logFile", "System.err");
        System.setProperty(PREFIX + "showDateTime", "true");
        System.setProperty(PREFIX + "dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        System.setProperty(PREFIX + "showThreadName", "true");
        System.setProperty(PREFIX + "defaultLogLevel", word(config.level()));
        for (LoggingConfig.LoggerLevel logger : config.loggers()) {
            System.setProperty(PREFIX + "log." + logger.logger(), word(logger.level()));
        }
    }

    /** For a client command: silent, because the command itself says what went wrong; or everything of note. */
    static void configureClient(boolean verbose) {
        configure(new LoggingConfig(verbose ? LoggingConfig.Level.INFO : LoggingConfig.Level.OFF, List.of()));
    }

    private static String word(LoggingConfig.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
