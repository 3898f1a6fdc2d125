package io.forebay.server.cli;

import io.forebay.server.config.ForebayConfig;
import io.forebay.server.config.LoggingConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Sets up the log, which goes to standard error. It must be called before the first logger is made: the levels are
 * read once per process.
 */
public final class LogOutput {
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private LogOutput() {}

    /**
     * Sets up a node's log before its command line is read, if that is sure to say nothing about the log.
     *
     * @return whether it is set up
     */
    public static boolean configureEarly(String... args) {
        if (!isByDefault(args)) {
            return false;
        }
        configure(ForebayConfig.defaults().logging());
        return true;
    }

    /** A file of settings or of arguments, and what names a setting of the log, may ask for another log. */
    static boolean isByDefault(String... args) {
        return Arrays.stream(args)
                .noneMatch(arg -> arg.contains("logging.") || arg.startsWith("--config") || arg.startsWith("@"));
    }

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
