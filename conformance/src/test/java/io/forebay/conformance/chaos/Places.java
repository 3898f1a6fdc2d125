package io.forebay.conformance.chaos;

import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Which record anybody saw at which place: an offset that was read once holds the same record for ever. Thread-safe. */
final class Places {

    private static final long UNSEEN = -1;

    private final long[][] byPartition;
    private final Findings findings;

    Places(int partitions, Findings findings) {
        this.byPartition = new long[partitions][];
        for (int i = 0; i < partitions; i++) {
            byPartition[i] = unseen(new long[1 << 12], 0);
        }
        this.findings = findings;
    }

    private static long[] unseen(long[] places, int from) {
        Arrays.fill(places, from, places.length, UNSEEN);
        return places;
    }

    /** Takes in what {@code reader} was given; empty if it is nothing that a producer sent. */
    synchronized Optional<NumberedValue> see(String reader, ConsumerRecord<byte[], byte[]> record) {
        String place = record.partition() + ":" + record.offset();
        Optional<NumberedValue> value = NumberedValue.of(record.key(), record.value());
        if (value.isEmpty()) {
            findings.add(Findings.Kind.INCONSISTENT, reader + " read at " + place + " what nobody sent");
            return value;
        }
        long[] places = byPartition[record.partition()];
        int offset = Math.toIntExact(record.offset());
        if (offset >= places.length) {
            int length = places.length;
            places = unseen(Arrays.copyOf(places, Math.max(offset + 1, length * 2)), length);
            byPartition[record.partition()] = places;
        }
        long now = ((long) value.get().producer() << 32) | value.get().sequence();
        if (places[offset] == UNSEEN) {
            places[offset] = now;
        } else if (places[offset] != now) {
            findings.add(
                    Findings.Kind.INCONSISTENT,
                    reader + " read " + value.get() + " at " + place + ", where before was "
                            + new NumberedValue((int) (places[offset] >>> 32), (int) places[offset]));
        }
        return value;
    }
}
