package io.forebay.log.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.log.batch.BatchView;
import io.forebay.log.batch.MarkerView;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions in one partition: what markers change. */
class TransactionMemoryTest {

    private static final short TRANSACTIONAL = 0x10;
    private static final short CONTROL = 0x30;
    private static final short COMMIT = 0x130;

    private final PartitionMemory memory = new PartitionMemory();

    @Test
    void stableOffsetWaitsForTheEarliestOpenTransaction() {
        append(1, 0, 0, 5);
        append(2, 0, 0, 5);

        assertEquals(0, memory.durableStableOffset());

        end(1, 0, true, 4);
        memory.durable(11);
        assertEquals(5, memory.durableStableOffset());

        end(2, 0, true, 4);
        memory.durable(12);
        assertEquals(12, memory.durableStableOffset());
    }

    @Test
    void stableOffsetWaitsUntilTheMarkerIsDurable() {
        append(1, 0, 0, 5);
        end(1, 0, false, 4);

        memory.durable(5);
        assertEquals(0, memory.durableStableOffset());

        memory.durable(6);
        assertEquals(6, memory.durableStableOffset());
    }

    @Test
    void tellsAbortedRangesOnly() {
        append(1, 0, 0, 5);
        end(1, 0, true, 4);
        append(1, 0, 5, 5);
        end(1, 0, false, 4);

        assertEquals(List.of(new AbortedTransaction(1, 6, 11, 12)), memory.aborted(0, 12));
    }

    @Test
    void markerWithoutTransactionAbortsNothing() {
        end(1, 3, false, 4);

        assertTrue(memory.aborted(0, 1).isEmpty());
        assertEquals(3, memory.producerEpoch(1));
        assertEquals(4, memory.coordinatorEpoch(1));
    }

    @Test
    void fencesTheEpochBelowItsMarker() {
        append(1, 0, 0, 5);
        end(1, 1, false, 4);

        assertEquals(
                SequenceCheck.Kind.FENCED_EPOCH,
                memory.check(1, (short) 0, 5, 1).kind());
        assertEquals(SequenceCheck.Kind.ACCEPT, memory.check(1, (short) 1, 0, 1).kind());
        assertEquals(
                SequenceCheck.Kind.OUT_OF_ORDER,
                memory.check(1, (short) 1, 5, 1).kind());
    }

    @Test
    void survivesEncoding() {
        append(1, 0, 0, 5);
        end(1, 1, false, 4);
        append(1, 1, 0, 5);

        var encoded = PartitionMemoryCodec.encode(99, memory);
        PartitionMemory decoded = PartitionMemoryCodec.decode(encoded);

        assertEquals(6, decoded.openTransaction(1));
        assertEquals(4, decoded.coordinatorEpoch(1));
        assertEquals(memory.aborted(0, 100), decoded.aborted(0, 100));
        assertEquals(memory.activeProducers(), decoded.activeProducers());
    }

    @Test
    void readsMarkersAsKafkaWritesThem() {
        ByteBuffer commit = ByteBuffer.allocate(100);
        marker(commit, 3, true, 77);
        ByteBuffer abort = ByteBuffer.allocate(100);
        marker(abort, 0, false, 78);

        assertEquals(COMMIT, MarkerView.attributes(commit, 3));
        assertEquals(77, MarkerView.sequence(commit, 3));
        assertEquals(CONTROL, MarkerView.attributes(abort, 0));
        assertEquals(78, MarkerView.sequence(abort, 0));
        assertTrue(MarkerView.isMarker(commit, 3));
    }

    /** The bytes that the protocol guide gives: lengths are zigzag varints. */
    private static void marker(ByteBuffer b, int at, boolean commit, int coordinatorEpoch) {
        b.putShort(at + 21, CONTROL).putInt(at + 53, -1).putInt(at + 57, 1);
        b.position(at + BatchView.HEADER_BYTES);
        b.put((byte) (16 << 1)).put((byte) 0).put((byte) 0).put((byte) 0);
        b.put((byte) (4 << 1)).putShort((short) 0).putShort((short) (commit ? 1 : 0));
        b.put((byte) (6 << 1)).putShort((short) 0).putInt(coordinatorEpoch).put((byte) 0);
    }

    private void append(long producerId, int epoch, int baseSequence, int count) {
        memory.apply(1, memory.nextOffset(), count, 1, TRANSACTIONAL, producerId, (short) epoch, baseSequence);
    }

    private void end(long producerId, int epoch, boolean commit, int coordinatorEpoch) {
        memory.apply(
                1, memory.nextOffset(), 1, 1, commit ? COMMIT : CONTROL, producerId, (short) epoch, coordinatorEpoch);
    }
}
