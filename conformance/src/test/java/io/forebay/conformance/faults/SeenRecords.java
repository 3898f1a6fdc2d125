package io.forebay.conformance.faults;

import io.forebay.conformance.harness.KeyedRecord;
import io.forebay.conformance.harness.KeyedText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What consumers saw of one topic, by partition and offset. What was seen once must be the same whenever it is seen
 * again, and offsets have no gaps. Owned by the reading thread until it has ended.
 */
final class SeenRecords {

    private final Map<Integer, List<KeyedRecord>> byPartition = new TreeMap<>();

    /** Takes in a record, checking it against what was seen before. */
    void see(ConsumerRecord<byte[], byte[]> record) {
        List<KeyedRecord> seen = byPartition.computeIfAbsent(record.partition(), ignored -> new ArrayList<>());
        KeyedRecord now = new KeyedRecord(record.key(), record.value());
        String place = "partition " + record.partition() + ", offset " + record.offset();
        if (record.offset() > seen.size()) {
            throw new AssertionError("gap: expected offset " + seen.size() + ", got " + place);
        }
        if (record.offset() == seen.size()) {
            seen.add(now);
        } else if (!same(seen.get((int) record.offset()), now)) {
            throw new AssertionError("another record than before at " + place);
        }
    }

    /** Fails unless {@code record} was seen at {@code offset} of {@code partition}. */
    void assertHolds(int partition, long offset, KeyedRecord record) {
        List<KeyedRecord> seen = byPartition.getOrDefault(partition, List.of());
        if (offset >= seen.size() || !same(seen.get((int) offset), record)) {
            throw new AssertionError(
                    "the record acknowledged at partition " + partition + ", offset " + offset + " is not there");
        }
    }

    /** The offset behind the last one seen of {@code partition}. */
    long end(int partition) {
        return byPartition.getOrDefault(partition, List.of()).size();
    }

    /** How many offsets were seen, each counted once. */
    long count() {
        return byPartition.values().stream().mapToLong(List::size).sum();
    }

    /** Everything seen, key by key in offset order. */
    KeyedText text() {
        KeyedText text = new KeyedText();
        byPartition.values().forEach(seen -> seen.forEach(record -> text.add(record.key(), record.value())));
        return text;
    }

    private static boolean same(KeyedRecord a, KeyedRecord b) {
        return Arrays.equals(a.key(), b.key()) && Arrays.equals(a.value(), b.value());
    }
}
