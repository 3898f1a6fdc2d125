package io.forebay.conformance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was sent or received, seen key by key: the values of each key in order. Two of them are equal exactly if nothing
 * was lost, doubled, changed or reordered within a key. Not thread safe.
 */
public final class KeyedText {

    private final Map<String, List<String>> valuesByKey = new LinkedHashMap<>();
    private long count;

    /** The text of {@code records} in their order. */
    public static KeyedText of(List<KeyedRecord> records) {
        KeyedText text = new KeyedText();
        records.forEach(record -> text.add(record.key(), record.value()));
        return text;
    }

    /** Adds one record behind those of its key. Bytes become Latin-1 characters, one for one. */
    public void add(byte[] key, byte[] value) {
        valuesByKey
                .computeIfAbsent(new String(key, StandardCharsets.ISO_8859_1), ignored -> new ArrayList<>())
                .add(new String(value, StandardCharsets.ISO_8859_1));
        count++;
    }

    /** The number of records. */
    public long count() {
        return count;
    }

    /** Fails unless {@code received} is this text: every record once, in the order of its key. */
    public void assertSame(KeyedText received) {
        valuesByKey.forEach((key, sent) -> {
            List<String> got = received.valuesByKey.getOrDefault(key, List.of());
            if (!got.equals(sent)) {
                throw new AssertionError("key " + key + ": sent " + sent.size() + " records, received " + got.size()
                        + ", first difference at record " + firstDifference(sent, got));
            }
        });
        assertThat(received.valuesByKey.keySet()).isEqualTo(valuesByKey.keySet());
        assertThat(received.count).isEqualTo(count);
    }

    /**
     * Fails unless {@code received} holds every record of this text at least as often as this one, and the first copies
     * of a key's records come in the order they were sent.
     */
    public void assertSameOrMore(KeyedText received) {
        valuesByKey.forEach((key, sent) -> {
            List<String> got = received.valuesByKey.getOrDefault(key, List.of());
            Map<String, Integer> missing = new HashMap<>();
            sent.forEach(value -> missing.merge(value, 1, Integer::sum));
            got.forEach(value -> missing.computeIfPresent(value, (v, n) -> n == 1 ? null : n - 1));
            assertThat(missing).as("lost records of key %s", key).isEmpty();
            assertThat(firsts(got)).as("order of key %s", key).isEqualTo(firsts(sent));
        });
        assertThat(received.valuesByKey.keySet()).isEqualTo(valuesByKey.keySet());
    }

    private static List<String> firsts(List<String> values) {
        Set<String> seen = new HashSet<>();
        return values.stream().filter(seen::add).toList();
    }

    private static int firstDifference(List<String> sent, List<String> got) {
        int common = Math.min(sent.size(), got.size());
        for (int i = 0; i < common; i++) {
            if (!sent.get(i).equals(got.get(i))) {
                return i;
            }
        }
        return common;
    }
}
