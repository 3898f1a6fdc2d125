package io.forebay.conformance.chaos;

import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A whole topic as it was read back against what its producers were told: each acknowledged record once, at the offset that
 * was acknowledged, in the order of its producer; offsets from 0 without gaps. Used by one thread.
 */
final class Comparison {

    private final List<SentRecords> sent;
    private final Places places;
    private final Findings findings;
    private final long[] next;
    /** By producer: how often each record was read. */
    private final byte[][] copies;
    /** By producer and partition: the highest number read. */
    private final int[][] highest;

    private long records;

    /** @param sent what each producer has sent, which does not change any more */
    Comparison(int partitions, List<SentRecords> sent, Places places, Findings findings) {
        this.sent = List.copyOf(sent);
        this.places = places;
        this.findings = findings;
        this.next = new long[partitions];
        this.copies = new byte[sent.size()][];
        Arrays.setAll(copies, producer -> new byte[sent.get(producer).count()]);
        this.highest = new int[sent.size()][partitions];
        for (int[] row : highest) {
            Arrays.fill(row, -1);
        }
    }

    /** The offset behind the last one read of a partition. */
    long end(int partition) {
        return next[partition];
    }

    /** The next record of its partition, from offset 0 on. */
    void take(ConsumerRecord<byte[], byte[]> record) {
        records++;
        int partition = record.partition();
        if (record.offset() != next[partition]) {
            findings.add(
                    Findings.Kind.INCONSISTENT,
                    "read back " + partition + ":" + record.offset() + " where " + next[partition] + " was next");
        }
        next[partition] = record.offset() + 1;
        places.see("the readback", record).ifPresent(value -> take(value, partition, record.offset()));
    }

    private void take(NumberedValue value, int partition, long offset) {
        if (value.producer() >= sent.size()
                || value.sequence() >= sent.get(value.producer()).count()) {
            findings.add(Findings.Kind.INCONSISTENT, "read back " + value + ", which nobody sent");
            return;
        }
        String place = value + " at " + partition + ":" + offset;
        if (++copies[value.producer()][value.sequence()] > 1) {
            findings.add(Findings.Kind.DUPLICATED, place + " was read before");
            return;
        }
        int before = highest[value.producer()][partition];
        if (value.sequence() < before) {
            findings.add(Findings.Kind.REORDERED, place + " comes behind number " + before);
        }
        highest[value.producer()][partition] = Math.max(before, value.sequence());
        SentRecords producer = sent.get(value.producer());
        long told = producer.offset(value.sequence());
        if (told >= 0 && (told != offset || producer.partition(value.sequence()) != partition)) {
            findings.add(
                    Findings.Kind.INCONSISTENT,
                    place + " was acknowledged at " + producer.partition(value.sequence()) + ":" + told);
        }
    }

    /** Everything has been read: adds what was not there. */
    void finish() {
        for (int producer = 0; producer < copies.length; producer++) {
            for (int i = 0; i < copies[producer].length; i++) {
                long told = sent.get(producer).offset(i);
                if (told != SentRecords.OPEN && copies[producer][i] == 0) {
                    findings.add(
                            Findings.Kind.LOST,
                            new NumberedValue(producer, i) + ", acknowledged at "
                                    + sent.get(producer).partition(i) + ":" + told);
                }
            }
        }
    }

    /** How many records were read. */
    long records() {
        return records;
    }
}
