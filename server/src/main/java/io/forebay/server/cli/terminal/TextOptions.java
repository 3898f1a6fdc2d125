package io.forebay.server.cli.terminal;

import io.forebay.server.config.ByteSize;
import io.forebay.server.config.TimeSpan;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Readers of option texts. */
public final class TextOptions {
    private TextOptions() {}

    /** Ends the command if {@code value} is none of {@code choices}. */
    public static void requireOneOf(String option, String value, String... choices) {
        if (!List.of(choices).contains(value)) {
            throw CommandFailure.usage(
                    "bad value '" + value + "' for " + option + ": expected " + String.join(", ", choices));
        }
    }

    /** {@code 500ms}, {@code 10s}, {@code 5m}, or plain milliseconds. */
    public static final class Span implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return TimeSpan.parse(text)
                    .filter(millis -> millis >= 0)
                    .map(Duration::ofMillis)
                    .orElseThrow(() -> new TypeConversionException("expected a time such as 500ms, 10s, 5m"));
        }
    }

    /** {@code 64KiB}, {@code 1MiB}, or plain bytes. */
    public static final class Size implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return ByteSize.parse(text)
                    .filter(bytes -> bytes >= 0 && bytes <= Integer.MAX_VALUE)
                    .map(Math::toIntExact)
                    .orElseThrow(() -> new TypeConversionException("expected a size such as 1024, 64KiB, 1MiB"));
        }
    }
}
