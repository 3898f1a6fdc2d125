package io.forebay.server.config;

import io.forebay.cluster.image.Role;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * How the text of a setting is read.
 *
 * @param unit what a plain number means ("bytes", "milliseconds"), empty if the value is not a number with a unit
 * @param range what is accepted, in words that complete "expected ..."
 * @param parse the value of a text, empty if the text is not accepted
 */
record SettingType<T>(String unit, String range, Function<String, Optional<T>> parse) {

    static SettingType<Integer> count(int min, int max) {
        return new SettingType<>(
                "",
                spread(min, max, Long::toString),
                text -> whole(text, min, max).map(Math::toIntExact));
    }

    static SettingType<Long> bytes(long min, long max) {
        return new SettingType<>(
                "bytes",
                spread(min, max, ByteSize::format),
                text -> ByteSize.parse(text).filter(v -> v >= min && v <= max));
    }

    static SettingType<Integer> intBytes(int min, int max) {
        SettingType<Long> wide = bytes(min, max);
        return new SettingType<>(
                wide.unit, wide.range, text -> wide.parse.apply(text).map(Math::toIntExact));
    }

    static SettingType<Long> millis(long min, long max) {
        return new SettingType<>(
                "milliseconds",
                spread(min, max, TimeSpan::format),
                text -> TimeSpan.parse(text).filter(v -> v >= min && v <= max));
    }

    static SettingType<Integer> intMillis(int min, int max) {
        SettingType<Long> wide = millis(min, max);
        return new SettingType<>(
                wide.unit, wide.range, text -> wide.parse.apply(text).map(Math::toIntExact));
    }

    static SettingType<Integer> amount(String unit, int min, int max) {
        return new SettingType<>(
                unit,
                spread(min, max, Long::toString),
                text -> whole(text, min, max).map(Math::toIntExact));
    }

    /** A number of bytes or -1, which stands for "no limit". */
    static SettingType<Long> bytesOrUnlimited(long min, long max) {
        SettingType<Long> limited = bytes(min, max);
        return orUnlimited(limited);
    }

    /** A duration or -1, which stands for "no limit". */
    static SettingType<Long> millisOrUnlimited(long min, long max) {
        return orUnlimited(millis(min, max));
    }

    static SettingType<Integer> amountOrUnlimited(String unit, int min, int max) {
        SettingType<Integer> limited = amount(unit, min, max);
        return new SettingType<>(
                limited.unit,
                limited.range + ", or -1 for no limit",
                text -> text.strip().equals("-1") ? Optional.of(-1) : limited.parse.apply(text));
    }

    static SettingType<Boolean> bool() {
        return new SettingType<>(
                "", "true or false", text -> switch (text.strip().toLowerCase(Locale.ROOT)) {
                    case "true" -> Optional.of(true);
                    case "false" -> Optional.of(false);
                    default -> Optional.empty();
                });
    }

    static SettingType<String> choice(String... options) {
        List<String> all = List.of(options);
        return new SettingType<>(
                "",
                "one of " + String.join(", ", all),
                text -> all.stream()
                        .filter(option -> option.equalsIgnoreCase(text.strip()))
                        .findFirst());
    }

    static <E extends Enum<E>> SettingType<E> enumeration(Class<E> type) {
        List<E> all = Arrays.asList(type.getEnumConstants());
        String words = all.stream().map(SettingType::word).collect(Collectors.joining(", "));
        return new SettingType<>(
                "",
                "one of " + words,
                text -> all.stream()
                        .filter(constant -> word(constant).equalsIgnoreCase(text.strip()))
                        .findFirst());
    }

    /** Letters, digits, dot, dash and underscore. */
    static SettingType<String> name(int maxLength) {
        return new SettingType<>(
                "",
                "1 to " + maxLength + " letters, digits, '.', '_' or '-'",
                text -> Optional.of(text.strip()).filter(v -> v.matches("[A-Za-z0-9._-]{1," + maxLength + "}")));
    }

    static SettingType<HostPort> hostPort() {
        return new SettingType<>("", "HOST:PORT, port 0 to 65535", HostPort::parse);
    }

    /** A URI with a scheme, or a folder, which becomes an absolute {@code file} URI. */
    static SettingType<URI> location() {
        return new SettingType<>("", "a folder, or a URI with file:, hdfs: or s3:", SettingType::parseLocation);
    }

    /** A path on this machine, or empty for none. */
    static SettingType<String> folder() {
        return new SettingType<>("", "a folder, or empty", text -> Optional.of(text.strip()));
    }

    /** A comma-separated list of {@code NAME=LEVEL}, possibly empty. */
    static SettingType<List<LoggingConfig.LoggerLevel>> loggerLevels() {
        return new SettingType<>(
                "", "LOGGER=LEVEL,... with levels trace, debug, info, warn, error, off", LoggingConfig::parseLevels);
    }

    /** A comma-separated list of roles, at least one. */
    static SettingType<List<Role>> roles() {
        SettingType<Role> one = enumeration(Role.class);
        return new SettingType<>("", "one or more of broker,coordinator,controller", text -> {
            EnumSet<Role> roles = EnumSet.noneOf(Role.class);
            for (String part : text.split(",", -1)) {
                Optional<Role> role = one.parse.apply(part);
                if (role.isEmpty()) {
                    return Optional.empty();
                }
                roles.add(role.get());
            }
            return Optional.of(List.copyOf(roles));
        });
    }

    /** A setting that may be left out: an empty text gives an empty value. */
    static <T> SettingType<Optional<T>> optional(SettingType<T> type) {
        return new SettingType<>(type.unit, type.range + ", or empty", text -> {
            Optional<T> value = text.isBlank() ? Optional.empty() : type.parse.apply(text);
            return text.isBlank() || value.isPresent() ? Optional.of(value) : Optional.empty();
        });
    }

    private static SettingType<Long> orUnlimited(SettingType<Long> limited) {
        return new SettingType<>(
                limited.unit,
                limited.range + ", or -1 for no limit",
                text -> text.strip().equals("-1") ? Optional.of(-1L) : limited.parse.apply(text));
    }

    private static Optional<URI> parseLocation(String text) {
        String trimmed = text.strip();
        try {
            if (trimmed.matches("[A-Za-z][A-Za-z0-9+.-]+:.*")) {
                return Optional.of(new URI(trimmed));
            }
            if (trimmed.isEmpty()) {
                return Optional.empty();
            }
            Path folder = Path.of(trimmed).toAbsolutePath().normalize();
            return Optional.of(new URI("file", "", folder.toString(), null));
        } catch (URISyntaxException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> whole(String text, long min, long max) {
        try {
            long value = Long.parseLong(text.strip());
            return value < min || value > max ? Optional.empty() : Optional.of(value);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String spread(long min, long max, LongFunction<String> format) {
        return max == Long.MAX_VALUE || max == Integer.MAX_VALUE
                ? "at least " + format.apply(min)
                : format.apply(min) + " to " + format.apply(max);
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
