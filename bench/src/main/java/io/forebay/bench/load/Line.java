package io.forebay.bench.load;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * One request to the client, or one answer: a word and named values, {@code verb key=value key=value}.
 *
 * @param verb what to do, or {@code ok} or {@code failed}
 * @param fields named values
 */
public record Line(String verb, Map<String, String> fields) {
    public Line {
        fields = Map.copyOf(fields);
    }

    /** A line without values. */
    public static Line of(String verb) {
        return new Line(verb, Map.of());
    }

    /** The same line with one more value. */
    public Line with(String key, Object value) {
        Map<String, String> more = new TreeMap<>(fields);
        more.put(key, value.toString());
        return new Line(verb, more);
    }

    /** A value as text; missing is an error. */
    public String text(String key) {
        String value = fields.get(key);
        if (value == null) {
            throw new IllegalArgumentException(verb + ": no " + key);
        }
        return value;
    }

    /** A whole number. */
    public long number(String key) {
        return Long.parseLong(text(key));
    }

    /** A whole number that an {@code int} holds. */
    public int count(String key) {
        return Integer.parseInt(text(key));
    }

    /** A number with a fraction. */
    public double decimal(String key) {
        return Double.parseDouble(text(key));
    }

    /** As it goes over the pipe: one line, without its end. */
    public String format() {
        StringBuilder line = new StringBuilder(verb);
        new TreeMap<>(fields)
                .forEach((key, value) -> line.append(' ')
                        .append(key)
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return line.toString();
    }

    /** Reads what {@link #format} wrote. */
    public static Line parse(String text) {
        String[] words = text.trim().split(" ", -1);
        Map<String, String> fields = new TreeMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("not key=value: " + words[i]);
            }
            fields.put(
                    words[i].substring(0, equals),
                    URLDecoder.decode(words[i].substring(equals + 1), StandardCharsets.UTF_8));
        }
        return new Line(words[0], fields);
    }
}
