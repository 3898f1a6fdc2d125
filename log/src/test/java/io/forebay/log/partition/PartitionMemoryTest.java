package io.forebay.log.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PartitionMemoryTest {

    private static final short NO_ATTRIBUTES = 0;

    private final PartitionMemory memory = new PartitionMemory();

    @Test
    void acceptsAnyFirstSequenceOfAnUnknownProducer() {
        assertEquals(
                SequenceCheck.Kind.ACCEPT, memory.check(7, (short) 3, 1234, 10).kind());
    }

    @Test
    void acceptsOnlyTheNextSequenceWithinAnEpoch() {
        append(7, 0, 0, 10);

        assertEquals(
                SequenceCheck.Kind.ACCEPT, memory.check(7, (short) 0, 10, 1).kind());
        assertEquals(
                SequenceCheck.Kind.OUT_OF_ORDER,
                memory.check(7, (short) 0, 11, 1).kind());
        assertEquals(
                SequenceCheck.Kind.OUT_OF_ORDER,
                memory.check(7, (short) 0, 9, 1).kind());
    }

    @Test
    void tellsOffsetsOfEachOfTheLastFiveBatches() {
        for (int i = 0; i < 7; i++) {
            append(7, 0, i * 10, 10);
        }

        for (int i = 2; i < 7; i++) {
            SequenceCheck check = memory.check(7, (short) 0, i * 10, 10);
            assertEquals(new SequenceCheck(SequenceCheck.Kind.DUPLICATE, i * 10L, i * 10L + 9, i * 10L), check);
        }
        assertEquals(
                SequenceCheck.Kind.OUT_OF_ORDER,
                memory.check(7, (short) 0, 10, 10).kind());
        assertEquals(
                SequenceCheck.Kind.OUT_OF_ORDER,
                memory.check(7, (short) 0, 60, 9).kind());
    }

    @Test
    void wrapsSequencesAtTheLargestInt() {
        append(7, 0, Integer.MAX_VALUE - 4, 10);

        assertEquals(SequenceCheck.Kind.ACCEPT, memory.check(7, (short) 0, 5, 1).kind());
        assertEquals(
                SequenceCheck.Kind.DUPLICATE,
                memory.check(7, (short) 0, Integer.MAX_VALUE - 4, 10).kind());

        append(8, 0, Integer.MAX_VALUE, 1);
        assertEquals(SequenceCheck.Kind.ACCEPT, memory.check(8, (short) 0, 0, 1).kind());
    }

    @Test
    void startsANewEpochAtZeroAndFencesTheOldOne() {
        append(7, 1, 0, 10);

        assertEquals(
                SequenceCheck.Kind.OUT_OF_ORDER,
                memory.check(7, (short) 2, 10, 1).kind());
        assertEquals(SequenceCheck.Kind.ACCEPT, memory.check(7, (short) 2, 0, 1).kind());
        assertEquals(
                SequenceCheck.Kind.FENCED_EPOCH,
                memory.check(7, (short) 0, 0, 1).kind());

        append(7, 2, 0, 1);
        assertEquals(
                SequenceCheck.Kind.FENCED_EPOCH,
                memory.check(7, (short) 1, 10, 1).kind());
    }

    @Test
    void forgetsProducersThatExpired() {
        append(7, 0, 0, 10);
        append(8, 0, 100, 10);

        assertEquals(0, memory.expire(1_000, 950), "silence counts from the first look");
        append(8, 0, 110, 10);
        assertEquals(1, memory.expire(1_950, 950), "and ends with each batch, however old its records are");

        assertEquals(1, memory.producerCount());
        assertEquals(
                SequenceCheck.Kind.ACCEPT, memory.check(7, (short) 0, 55, 1).kind());
        assertEquals(
                SequenceCheck.Kind.OUT_OF_ORDER,
                memory.check(8, (short) 0, 55, 1).kind());
    }

    @Test
    void knowsWhereEpochsEnd() {
        appendInEpoch(3, 10);
        appendInEpoch(5, 10);
        appendInEpoch(5, 10);
        appendInEpoch(9, 10);

        assertEquals(EpochEnd.NONE, memory.endOffsetForEpoch(10, 40));
        assertEquals(new EpochEnd(9, 40), memory.endOffsetForEpoch(9, 40));
        assertEquals(new EpochEnd(5, 30), memory.endOffsetForEpoch(8, 40));
        assertEquals(new EpochEnd(5, 30), memory.endOffsetForEpoch(5, 40));
        assertEquals(new EpochEnd(3, 10), memory.endOffsetForEpoch(4, 40));
        assertEquals(new EpochEnd(1, 0), memory.endOffsetForEpoch(1, 40));
        assertEquals(3, memory.epochAt(9));
        assertEquals(5, memory.epochAt(10));
        assertEquals(9, memory.epochAt(39));
    }

    @Test
    void keepsTheEpochOfTheStartWhenTrimmed() {
        appendInEpoch(3, 10);
        appendInEpoch(5, 10);

        memory.trim(15);

        assertEquals(new EpochEnd(3, 15), memory.endOffsetForEpoch(3, 20));
        assertEquals(5, memory.epochAt(15));
        memory.trim(12);
        assertEquals(15, memory.startOffset());
    }

    @Test
    void refusesABatchThatLeavesAGap() {
        append(7, 0, 0, 10);

        assertThrows(IllegalStateException.class, () -> memory.apply(1, 11, 1, 0, NO_ATTRIBUTES, -1, (short) -1, -1));
    }

    @Test
    void survivesEncoding() {
        SplittableRandom random = new SplittableRandom(1);
        int[] next = new int[5];
        for (int i = 0; i < 500; i++) {
            int producer = random.nextInt(5);
            int count = 1 + random.nextInt(20);
            append(producer, 0, next[producer], count);
            next[producer] += count;
            if (i % 50 == 0) {
                memory.trim(memory.nextOffset() - 10);
            }
        }

        var encoded = PartitionMemoryCodec.encode(99, memory);
        PartitionMemory decoded = PartitionMemoryCodec.decode(encoded);

        assertEquals(encoded, PartitionMemoryCodec.encode(99, decoded));
        assertEquals(
                SequenceCheck.Kind.ACCEPT,
                decoded.check(2, (short) 0, next[2], 1).kind());
    }

    private void append(long producerId, int producerEpoch, int baseSequence, int count) {
        memory.apply(
                1,
                memory.nextOffset(),
                count,
                baseSequence,
                NO_ATTRIBUTES,
                producerId,
                (short) producerEpoch,
                baseSequence);
    }

    private void appendInEpoch(long epoch, int count) {
        memory.apply(epoch, memory.nextOffset(), count, 5, NO_ATTRIBUTES, -1, (short) -1, -1);
    }
}
